#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "stepwell/store/embedded/embedded_store.h"
#include "stepwell/store/testing/temporary_directory.h"

#include "store_suite.h"

namespace stepwell {

class EmbeddedHome final : public StoreHome {
 public:
  explicit EmbeddedHome(EmbeddedOptions options = {}) : options_(options) { open("0"); }

  Store& store() override { return *store_; }

  // What a process that is killed leaves are its files as they are at that moment, so a copy of them is opened.
  void crash() override {
    const std::string before = name_;
    const std::string after = std::to_string(std::stoi(name_) + 1);
    std::filesystem::copy(path(before), path(after), std::filesystem::copy_options::recursive);
    std::filesystem::remove(path(after) + "/stepwell.db-shm");
    store_.reset();
    open(after);
  }

  bool move_to_backup() override {
    const std::string after = std::to_string(std::stoi(name_) + 1);
    const auto written = store_->backup(path(after));
    EXPECT_TRUE(written.has_value()) << written.error().message;
    store_.reset();
    open(after);
    return true;
  }

 private:
  std::string path(const std::string& name) const { return directory_.path() + "/" + name; }

  void open(const std::string& name) {
    name_ = name;
    auto opened = open_embedded_store(path(name), options_);
    if (!opened) throw std::runtime_error(opened.error().message);
    store_ = std::move(*opened);
  }

  TemporaryDirectory directory_;
  EmbeddedOptions options_;
  std::string name_;
  std::unique_ptr<Store> store_;
};

}  // namespace stepwell
