#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/expr/secrets.h"

// Where secrets come from. All of these may be asked by many threads at once. A secret that is no UTF-8 is not known:
// nothing could be done with it.
namespace stepwell {

// `api_key` is the variable STEPWELL_SECRET_API_KEY. The environment is read when a secret is asked for.
class EnvironmentSecrets final : public Secrets {
 public:
  std::optional<std::string> find(std::string_view name) const override;
};

// `api_key` is the content of the file of that name, without the newline at its end. Read when it is asked for, so that
// a secret can be replaced under a running engine.
class DirectorySecrets final : public Secrets {
 public:
  explicit DirectorySecrets(std::filesystem::path directory) : directory_(std::move(directory)) {}
  std::optional<std::string> find(std::string_view name) const override;

 private:
  std::filesystem::path directory_;
};

// Asks each in turn; the first that knows the secret tells it.
class SecretChain final : public Secrets {
 public:
  explicit SecretChain(std::vector<std::shared_ptr<const Secrets>> sources) : sources_(std::move(sources)) {}
  std::optional<std::string> find(std::string_view name) const override;

 private:
  std::vector<std::shared_ptr<const Secrets>> sources_;
};

}  // namespace stepwell
