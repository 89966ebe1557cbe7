/** A configuration of tool. Every key is optional. */
export interface ToolConfig {
  /**
   * The version of the file's shape.
   * @default 1
   */
  schema?: 1 | undefined;
  /**
   * The theme: `auto` takes the only one in the drop, `none` builds no theme, any other string is the
   * name of a theme or, if it ends in `.zip`, the path of its archive.
   * @default "auto"
   * @example "harbour"
   */
  theme?: string | undefined;
  /** Which modules are built. */
  modules?: {
    /**
     * Names or glob patterns of modules to build although `exclude` matches them. The element "...", at
     * most once, keeps in its place what lower layers list. At most 1,000 elements.
     * @default []
     * @example ["shop_*"]
     */
    include?: readonly string[] | undefined;
    /**
     * Names or glob patterns of modules to leave out. The element "...", at most once, keeps in its place
     * what lower layers list. At most 1,000 elements.
     * @default []
     * @example ["shop_demo", "*_test"]
     */
    exclude?: readonly string[] | undefined;
    /**
     * Names or glob patterns; if any is given, modules that match none of them are left out. The element
     * "...", at most once, keeps in its place what lower layers list. At most 1,000 elements.
     * @default []
     * @example ["shop_search", "shop_reviews"]
     */
    only?: readonly string[] | undefined;
  } | undefined;
  /**
   * Presets to apply, the later over the earlier: bundled names, names found in the search path, or
   * paths. Unset detects them; an empty list applies none. The element "...", at most once, keeps in its
   * place what lower layers list. At most 1,000 elements.
   * @example ["ci", "./presets/shop.ts"]
   */
  presets?: readonly string[] | undefined;
  /**
   * Folders searched, in order, for presets that are given by name. The element "...", at most once,
   * keeps in its place what lower layers list. At most 1,000 elements.
   * @default []
   * @example ["./presets"]
   */
  presetsSearchPath?: readonly string[] | undefined;
  /** Scripts that run before and after the build. */
  hooks?: {
    /**
     * Folder of the scripts that run before the build.
     * @default "./init-scripts"
     * @example "./scripts/before"
     */
    initScriptsDir?: string | undefined;
    /**
     * Folder of the scripts that run after the build.
     * @default "./post-scripts"
     * @example "./scripts/after"
     */
    postScriptsDir?: string | undefined;
    /**
     * What a failing script does to the run: `continue` reports it and goes on, `fail` stops.
     * @default "continue"
     * @example "fail"
     */
    onFailure?: "continue" | "fail" | undefined;
  } | undefined;
  /** What makes an unchanged second run cheap. */
  cache?: {
    /**
     * The cache file.
     * @default ".tool-cache.json"
     * @example "./.cache/tool.json"
     */
    file?: string | undefined;
    /**
     * Whether the cache is used.
     * @default true
     * @example false
     */
    enabled?: boolean | undefined;
  } | undefined;
  /** What is told on standard error. */
  log?: {
    /**
     * The format of the log on standard error.
     * @default "text"
     * @example "json"
     */
    format?: "text" | "json" | undefined;
  } | undefined;
  /**
   * Shorthand: appended to `modules.exclude` when the file is loaded. The element "...", at most once,
   * keeps in its place what lower layers list. At most 1,000 elements.
   * @example ["shop_demo"]
   */
  exclude?: readonly string[] | undefined;
}

/** A configuration that cannot choose presets. */
export type ToolPreset = Omit<ToolConfig, "presets" | "presetsSearchPath">;

/** What may be exported: the object, a promise of it, or a function that gives either. */
export type Exported<T> = T | Promise<T> | (() => T | Promise<T>);

/** Gives a configuration back as it is: an editor then knows its type. */
export declare function defineConfig(config: Exported<ToolConfig>): Exported<ToolConfig>;

/** Gives a preset back as it is: an editor then knows its type. */
export declare function definePreset(preset: Exported<ToolPreset>): Exported<ToolPreset>;
