const { loadConfig } = await import(process.argv[2]);
const { config } = await loadConfig({ name: "tool", rcFile: false, extend: false });
console.log(JSON.stringify(config));
