#pragma once

#include <expected>
#include <iosfwd>
#include <string>

namespace stepwell::cli {

// All bytes of the file, or of `in` if the path is "-"; or why not: "cannot read 'x.json': No such file or directory".
std::expected<std::string, std::string> read_input(const std::string& path, std::istream& in);

// All bytes of `in`. Of more than any document may have it reads just enough for its reader to say so.
std::string read_all(std::istream& in);

}  // namespace stepwell::cli
