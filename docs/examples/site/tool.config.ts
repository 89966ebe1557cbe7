import { defineConfig } from "tool";

// Set on the servers, such as `production`. Nobody sets it on their own machine.
const server = process.env.SITE_SERVER !== undefined;

export default defineConfig({
  schema: 1,
  theme: "reef",
  presets: ["./presets/club.ts"],
  exclude: ["...", "webcam"],
  hooks: { onFailure: server ? "fail" : "continue" },
});
