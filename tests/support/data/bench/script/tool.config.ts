import { Theme, excluded } from "./shared.ts";

enum OnFailure { Continue = "continue", Fail = "fail" }

export default {
  schema: 1,
  theme: Theme.Hummingbird,
  modules: { exclude: excluded },
  hooks: { onFailure: OnFailure.Fail },
  log: { format: "json" },
};
