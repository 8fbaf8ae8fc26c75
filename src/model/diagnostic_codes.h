#pragma once

#include <array>
#include <string_view>

namespace stepwell {

// What a code stands for, in one line.
struct DiagnosticMeaning {
  std::string_view code;
  std::string_view meaning;
};

// Every code a diagnostic can carry. Programs and people search for them, so a code keeps its meaning for ever; a
// retired one is not used again. Words in kebab case, the subject first.
inline constexpr auto kDiagnosticCodes = std::to_array<DiagnosticMeaning>({
    // Playbooks and other documents.
    {"arc-priority", "some arcs of a step have a priority and others have none"},
    {"arc-target", "an arc names a step that does not exist in its list"},
    {"arc-unreachable", "an arc is never taken, because one before it always is"},
    {"branch-isolated", "a guard in one branch reads what only another branch writes"},
    {"branch-unjoined", "a branch never reaches the join that waits for it"},
    {"cron", "a cron expression cannot be read, or names a day that never comes"},
    {"cycle-endless", "steps lead back to themselves without any condition"},
    {"definition", "an exported canonical definition is malformed"},
    {"document-kind", "a document of another kind stands where a playbook is needed"},
    {"expression", "an expression or template cannot be read or compiled"},
    {"expression-name", "an expression reads a name that does not exist where it stands"},
    {"expression-secret", "a secret is named outside of the fields of a tool"},
    {"field-type", "a step has a field that its type does not take"},
    {"final-step", "the final step is something that a final step cannot be"},
    {"guard-constant", "a condition is always the same"},
    {"input-unused", "a prompt has an input that its template does not read"},
    {"join-args", "an arc into a join carries args"},
    {"join-from", "a join names a step that does not exist or never fans out"},
    {"join-twice", "the branches of a step are joined by two joins"},
    {"join-unreachable", "no branch can reach the join"},
    {"jump-target", "a rule jumps to a task that does not exist"},
    {"key-missing", "a map lacks a key that it needs"},
    {"key-unknown", "a map has a key that means nothing there"},
    {"label-form", "a task has a label that cannot be one"},
    {"label-twice", "two tasks of a pipeline have the same label"},
    {"loop-mode", "a sequential loop asks for iterations at once"},
    {"loop-write", "the body of a parallel loop writes ctx"},
    {"merge-key", "a merge has a key that its strategy does not take"},
    {"merge-target", "a merge writes somewhere else than ctx"},
    {"name-form", "a name has characters that it cannot have"},
    {"name-reserved", "a name is one that expressions read something else by"},
    {"name-twice", "two things of one kind have the same name"},
    {"option-twice", "two options of a human task have the same value"},
    {"path", "a path cannot be read"},
    {"pipeline-empty", "a pipeline has no task"},
    {"policy-step", "a policy names a step that does not exist"},
    {"rule-field", "a rule has a field of another action"},
    {"rule-twice", "a rule says its condition twice"},
    {"rule-unreachable", "a rule is never tried, because one before it always matches"},
    {"schema", "a JSON Schema is not valid"},
    {"set-target", "set writes somewhere that it cannot"},
    {"set-twice", "set writes to one place twice"},
    {"signal-schema", "waits for one signal disagree on its schema"},
    {"spec-twice", "next_mode is said in two spellings"},
    {"step-unreachable", "no arc leads to a step"},
    {"subscription", "a subscription has not exactly one target, or a field of another one"},
    {"terminate-reason", "the reason of a terminate is blank"},
    {"time-zone", "something is not the name of a time zone"},
    {"tool-field", "a tool's field is of the wrong kind, or not exactly one of two is given"},
    {"tool-kind", "a tool kind does not exist"},
    {"url", "something is not the address of a server"},
    {"value-duration", "something is not a duration"},
    {"value-kind", "a value is of the wrong kind"},
    {"value-range", "a number is out of its range"},
    {"value-size", "something is not a size in bytes"},
    {"value-word", "a word is not one of those that may stand there"},
    {"version-taken", "a version of a document is registered with another definition"},
    {"wait-one", "a wait has not exactly one of for, until and signal"},
    {"wait-signal", "a wait that is not for a signal has a field of signals"},
    {"workbook-name", "a tool names an entry that the workbook does not have"},
    {"workbook-nested", "an entry of the workbook uses the workbook"},
    {"workflow-empty", "a workflow has no steps"},
    {"file", "a file cannot be read"},
    // Reading YAML.
    {"yaml-alias", "an alias stands for nothing, or for something that contains it"},
    {"yaml-documents", "the text holds more than one document"},
    {"yaml-duplicate-key", "a map has the same key twice"},
    {"yaml-key", "a key is not text"},
    {"yaml-limit", "the document is too long, too deep or expands to too many values"},
    {"yaml-merge-key", "the merge key '<<' of YAML 1.1 is used"},
    {"yaml-number", "a number is infinite, not a number or does not fit 64 bits"},
    {"yaml-syntax", "the text is not YAML"},
    {"yaml-tag", "a tag is unknown, or the value is not of its type"},
    {"yaml-text", "the text is not UTF-8 or holds control characters"},
});

// A code of the table. A word that is not in it does not compile.
class DiagnosticCode {
 public:
  consteval DiagnosticCode(const char* word) : word_(word) {
    for (const DiagnosticMeaning& known : kDiagnosticCodes) {
      if (known.code == word_) return;
    }
    throw "not a code of kDiagnosticCodes";
  }

  constexpr std::string_view word() const { return word_; }

  friend constexpr bool operator==(DiagnosticCode, DiagnosticCode) = default;

 private:
  std::string_view word_;
};

}  // namespace stepwell
