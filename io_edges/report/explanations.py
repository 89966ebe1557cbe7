"""Explanations: for each error, one paragraph on what it means, why it exists and what to do.

`docs/reference/problems.md` lists them. What to do in a single case is the `help` of the problem, in `prose`.
"""

from typing import Final

from io_edges.report.exit_codes import ErrorName

EXPLANATIONS: Final[dict[ErrorName, str]] = {
    "UsageError": (
        "The command line is wrong: a flag or command that there is not, a value that a flag does not take, or a "
        "question of `tool init` without an answer. Nothing is guessed, because a flag that is passed over could "
        "build something else than you asked for. Look the flag up with `--help` after the command; nothing has "
        "been written."
    ),
    "SchemaValidationError": (
        "A configuration, a preset, a variable or a flag holds a key that there is not, or a value of the wrong "
        "type. Unknown keys are refused at every depth and no value is converted, because a misspelt key that is "
        "passed over is a setting that silently does nothing. Every such mistake is reported at once, each with "
        "its file, line and column: fix them there, and check with `tool config validate`."
    ),
    "ConfigSyntaxError": (
        "A configuration or a preset is not JSON, has a key twice, or is too large or nested too deeply. JSON is "
        "read strictly, without comments and trailing commas, so that every program that reads the file "
        "understands the same. Fix the place that is named; for comments, write the configuration as "
        "`tool.config.ts` or `.js`."
    ),
    "ConfigEvaluationError": (
        "A configuration or a preset that is a script gave no configuration: it cannot be parsed, threw an error, "
        "had no default export, did something that it may not do, or took too long; or it has to be evaluated, and "
        "`--no-exec` or `TOOL_NO_EXEC` forbids it. A script may read its project and the environment and nothing "
        "else, so that looking at a configuration is never a risk, and one that is a literal is not run at all. Fix "
        "the line that is named, or write the configuration as JSON."
    ),
    "RedundantSetting": (
        "`tool config validate --strict` found something that changes nothing: a setting that is equal to what it "
        "overrides, a pattern that another one of its list covers, or a preset of which no setting is used. It is "
        "valid, and no other command refuses it; but what changes nothing is often not what was meant, and misleads "
        "who reads the file. Take it out at the place that is named, or check without `--strict`."
    ),
    "ConfigNotFound": (
        "The file that `--config` names does not exist, or it is a `package.json` without the key `tool`. A file "
        "that you name is never replaced by another or by the defaults, because the build would then differ from "
        "what you asked for. Check the path, which is relative to the current folder; or leave `--config` out, and "
        "the file is searched for from the current folder upward."
    ),
    "ConfigUnreadable": (
        "A configuration or a preset is there and cannot be read: it is a folder, a link to nothing, or you have "
        "no permission. It is not passed over, because another file or the defaults would then be used without a "
        "word. Give read permission, repair the link, or name another file with `--config`."
    ),
    "PresetNotFound": (
        "A preset is neither bundled nor a file in `presetsSearchPath`, or its path leads to no file. A preset "
        "that is missing is never skipped, since it may hold what keeps a build strict. Check its name and the "
        "folders that were searched; the bundled presets are `none` and `ci`, and an entry with a slash or a "
        "suffix is a path."
    ),
    "ThemeNotFound": (
        "The setting `theme` names a theme or an archive that the drop does not have, or that holds a module. A "
        "project without its theme would be built wrongly, so nothing is built. Name one of the themes of the "
        "drop, put the archive there, or write `auto` or `none`; `tool inspect` shows what an archive is called "
        "and why."
    ),
    "ThemeAmbiguous": (
        "The setting `theme` is `auto`, and the drop has several themes. Only one is built, and which one is not "
        "for the tool to guess. Name it with `--theme` or in the configuration; or write `none` to build no theme."
    ),
    "ComponentAmbiguous": (
        "Two archives hold the same theme or module with different contents, and their versions do not say which "
        "is newer. Taking either could bring back old code, so neither is built. Leave all but one out with "
        "`--exclude` and the file name, or remove them from the drop."
    ),
    "ScriptRuntimeUnavailable": (
        "A configuration or a preset is a script that has to be evaluated, and there is no Deno to do it. Deno "
        "comes with the tool on Linux with glibc and on macOS, and is looked for on `PATH` elsewhere; another runtime "
        "could not keep scripts from writing or using the network. The error gives the command that installs it; or "
        "write the configuration as JSON, or as a script that is a literal, which needs no Deno."
    ),
    "InternalError": (
        "The tool itself has a bug. Components are put in place as a whole or not at all, and the next run "
        "finishes or undoes what was begun, so the project is safe. Run again with `--verbose`, and report what it "
        "prints."
    ),
    "DropNotFound": (
        "The folder that should hold the archives does not exist, or is not a folder. It is not created, because "
        "an empty drop would look like a project without modules. Check the path: it is the argument of the "
        "command, relative to the current folder, and is the current folder if it is left out."
    ),
    "OutputConflict": (
        "A run would overwrite something that the tool did not write: files that both you and an archive changed, "
        "a configuration that is there already, or a file or link where a folder is needed; or the record of what "
        "it wrote cannot be read. Your work is never replaced unasked, so nothing was written. For files, "
        "`--force` builds the archive's and moves yours to `.tool-backup/`, `--mine` keeps yours; otherwise move "
        "away what is in the way, or restore the record."
    ),
    "FileSystemProblem": (
        "The operating system refused to read or write, or gave no memory: the disk is full, a permission is "
        "missing, or a path is too long. What a run has staged is removed, and each component is whole, old or "
        "new. See to the cause that is named, then run again."
    ),
    "ProjectLocked": (
        "Another run is building the same project. Two at once could mix their files, so only one at a time may. "
        "Wait for it to end, or pass `--wait=SECONDS`. The lock ends with its process: there is never a file to "
        "delete."
    ),
    "ArchiveRejected": (
        "An archive is damaged, contradicts itself, or holds something that could write outside its folder. It is "
        "refused as a whole and before anything is written, because a part of a module is worse than none. "
        "Download it again; leave it out with `--exclude` and its file name; or pass `--keep-going` to build the "
        "others. `tool inspect` says more."
    ),
    "HookFailed": (
        "A script in the folder of init or post scripts failed, and `hooks.onFailure` is `fail`. Later scripts are "
        "not run, as they may need what it should have done; if an init script fails, no component is changed. Its "
        "output is in the log above the error. Fix the script, or pass `--on-failure=continue` to report and go "
        "on."
    ),
    "OutOfDate": (
        "With `--check`, a run would change something; with `--frozen`, the drop or the selection is not what the "
        "record says. Both are for continuous integration, which should notice that a project was not built again, "
        "or not from what was agreed. Run `tool create` without the flag, and commit the record, or restore the "
        "archives that it names."
    ),
    "Interrupted": (
        "The run was ended with Ctrl-C, or by another program with SIGINT. What was half done is cleaned up, so that "
        "each component is whole, and the last line says whether anything was changed. Run the same command again to "
        "finish."
    ),
    "Terminated": (
        "The run was ended by another program or by the system, with SIGTERM, SIGHUP or SIGQUIT, for example because a "
        "terminal was closed or a job took too long. What was half done is cleaned up, so that each component is "
        "whole, and the last line says whether anything was changed. Run the same command again to finish."
    ),
}

CODES: Final = {
    0: "The run succeeded; if there was nothing to build, with a warning.",
    64: "The command line is wrong, or `tool init` has no answer to a question.",
    65: "A configuration, preset, variable or answer is not valid.",
    66: "The file that `--config` names does not exist, or a configuration or preset cannot be read.",
    67: "A preset is not found.",
    68: "The theme is not in the drop, the drop has several themes, or two archives of one component differ.",
    69: "A script has to be evaluated, and Deno is not installed; or the system is not POSIX, such as Windows.",
    70: "A bug in the tool.",
    72: "The drop does not exist.",
    73: "Something that the tool did not write is in the way, or the record of what it wrote cannot be read.",
    74: "The operating system refused a read, a write or memory.",
    75: "Another run is building the project.",
    76: "An archive is damaged, hostile or contradictory; for `tool inspect`, an archive would be refused.",
    79: "A hook script failed, and `hooks.onFailure` is `fail`.",
    80: "The project is out of date, which only `--check` and `--frozen` find.",
    130: "The run was interrupted with Ctrl-C; what was staged is removed, and `tool init` has written nothing.",
    143: "The run was terminated from outside, or its terminal was closed; likewise.",
}
"""What happened, by exit code."""
