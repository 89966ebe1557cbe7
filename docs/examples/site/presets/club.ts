import { definePreset } from "tool";

/** What all sites of the club have in common. */
export default definePreset({
  exclude: ["sample_content"],
  hooks: { initScriptsDir: "../scripts/before", postScriptsDir: "../scripts/after" },
});
