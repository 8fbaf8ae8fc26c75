#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stepwell/tools/testing/temp_directory.h"

namespace stepwell::testing {

// A PostgreSQL of its own in a temporary directory, reached by a socket there, for as long as a test program runs. The
// server refuses to run as root, so then it runs as the user that the package made for it.
class PostgresServer {
 public:
  PostgresServer() {
    const std::string& home = directory_.path();
    if (geteuid() == 0) {
      const passwd* user = getpwnam("postgres");
      EXPECT_NE(user, nullptr) << "the package postgresql makes this user";
      EXPECT_EQ(chown(home.c_str(), user->pw_uid, user->pw_gid), 0);
    }
    directory_.write("password", "pa55word\n");
    std::filesystem::permissions(directory_.file("password"), std::filesystem::perms::others_read,
                                 std::filesystem::perm_options::add);
    shell("initdb -D " + home + "/data -U owner --auth=scram-sha-256 --pwfile=" + home + "/password -N > " + home +
          "/log 2>&1");
    shell("pg_ctl -D " + home + "/data -w -l " + home + "/log -o \"-k " + home +
          " -c listen_addresses= -c fsync=off\" start > /dev/null");
  }
  ~PostgresServer() { shell("pg_ctl -D " + directory_.path() + "/data -m immediate stop > /dev/null"); }

  std::string connection(const std::string& password = "pa55word") const {
    return "host=" + directory_.path() + " user=owner dbname=postgres password=" + password;
  }

 private:
  void shell(const std::string& command) const {
    const std::string path = "PATH=$PATH:/usr/lib/postgresql/15/bin; cd " + directory_.path() + "; ";
    const std::string as = geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : "";
    const std::string all = as + "sh -c '" + path + command + "'";
    EXPECT_EQ(std::system(all.c_str()), 0) << all;
  }

  TempDirectory directory_;
};

}  // namespace stepwell::testing
