#pragma once

// The process groups of children that run now, known to the whole process, so that one that ends at once leaves none
// behind.
namespace stepwell {

// While it lives, the group is known. (Of more than a thousand at once the latest are not.)
class KnownGroup {
 public:
  explicit KnownGroup(int group);
  ~KnownGroup();
  KnownGroup(const KnownGroup&) = delete;
  KnownGroup& operator=(const KnownGroup&) = delete;

 private:
  int place_ = -1;  // none
};

// Kills them all. Safe in a signal handler.
void kill_known_groups();

}  // namespace stepwell
