/** A configuration of tool. Every key is optional. */
export interface ToolConfig {
  /**
   * The version of the file's format.
   * @default 1
   */
  schema?: 1 | undefined;
  /**
   * Build this theme: `auto` (the only one), `none`, a name or a `.zip` path.
   * @default "auto"
   * @example "harbour"
   */
  theme?: string | undefined;
  /** Which modules are built. */
  modules?:
    | {
        /**
         * Build the modules that match these patterns, even if `exclude` does. The element "...", at most
         * once, keeps in its place what lower layers list. At most 1,000 elements.
         * @default []
         * @example ["shop_*"]
         */
        include?: readonly string[] | undefined;
        /**
         * Leave out the modules that match these names or patterns. The element "...", at most once, keeps in
         * its place what lower layers list. At most 1,000 elements.
         * @default []
         * @example ["shop_demo", "*_test"]
         */
        exclude?: readonly string[] | undefined;
        /**
         * Leave out the modules that match none of these names or patterns. The element "...", at most once,
         * keeps in its place what lower layers list. At most 1,000 elements.
         * @default []
         * @example ["shop_search", "shop_reviews"]
         */
        only?: readonly string[] | undefined;
      }
    | undefined;
  /**
   * Apply presets by name or path, the later over the earlier; `none` for none. The element "...", at
   * most once, keeps in its place what lower layers list. At most 1,000 elements.
   * @example ["ci", "./presets/shop.ts"]
   */
  presets?: readonly string[] | undefined;
  /**
   * Search these folders, in order, for presets given by name. The element "...", at most once, keeps in
   * its place what lower layers list. At most 1,000 elements.
   * @default []
   * @example ["./presets"]
   */
  presetsSearchPath?: readonly string[] | undefined;
  /** Scripts that run before and after the build. */
  hooks?:
    | {
        /**
         * Run the scripts in this folder before the build.
         * @default "./init-scripts"
         * @example "./scripts/before"
         */
        initScriptsDir?: string | undefined;
        /**
         * Run the scripts in this folder after the build.
         * @default "./post-scripts"
         * @example "./scripts/after"
         */
        postScriptsDir?: string | undefined;
        /**
         * If a hook script fails, `continue` the run or let it `fail`.
         * @default "continue"
         * @example "fail"
         */
        onFailure?: "continue" | "fail" | undefined;
      }
    | undefined;
  /** What makes an unchanged second run cheap. */
  cache?:
    | {
        /**
         * Keep the cache in this file.
         * @default ".tool-cache.json"
         * @example "./.cache/tool.json"
         */
        file?: string | undefined;
        /**
         * Use the cache.
         * @default true
         * @example false
         */
        enabled?: boolean | undefined;
      }
    | undefined;
  /** What is reported on standard error. */
  log?:
    | {
        /**
         * Print the log on standard error as text or JSON.
         * @default "text"
         * @example "json"
         */
        format?: "text" | "json" | undefined;
      }
    | undefined;
  /**
   * Shorthand: appended to `modules.exclude` when the file is loaded. The element "...", at most once,
   * keeps in its place what lower layers list. At most 1,000 elements.
   * @example ["shop_demo"]
   */
  exclude?: readonly string[] | undefined;
}

/** A configuration that cannot choose presets. */
export type ToolPreset = Omit<ToolConfig, "presets" | "presetsSearchPath">;

/** A promise, or a function that gives an object or a promise of it. */
export type Computed<T> = Promise<T> | (() => T | Promise<T>);

/** What may be exported: the object, a promise of it, or a function that gives either. */
export type Exported<T> = T | Computed<T>;

/** Gives a configuration back as it is: an editor then knows its type. */
export declare function defineConfig(
  config: Computed<ToolConfig>,
): Computed<ToolConfig>;
export declare function defineConfig(config: ToolConfig): ToolConfig;

/** Gives a preset back as it is: an editor then knows its type. */
export declare function definePreset(
  preset: Computed<ToolPreset>,
): Computed<ToolPreset>;
export declare function definePreset(preset: ToolPreset): ToolPreset;

// The environment, for a project without the types of Node; with them, these are the same.
declare global {
  namespace NodeJS {
    interface ProcessEnv {
      [name: string]: string | undefined;
    }
    interface Process {
      env: ProcessEnv;
    }
  }
  var process: NodeJS.Process;
}
