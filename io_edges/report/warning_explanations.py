"""Warning explanations: for each warning, by its code, one paragraph on what it means and what to do.

`docs/reference/problems.md` lists them. What to do in a single case is the `help` of the warning, in `warnings`.
"""

from typing import Final

WARNING_EXPLANATIONS: Final = {
    "shadowed-config": (
        "Several configurations are in one folder, and only the first is read, in this order: `tool.config.ts`, "
        "`tool.config.js`, `tool.config.json`, the key `tool` of `package.json`. What you change in another one does "
        "nothing. Keep one of them."
    ),
    "unread-config": (
        "A file is called like a configuration, but with a suffix that is not looked for. It is not read, and what is "
        "set in it has no effect. Rename it, or write it as JSON; `--config` takes a script or a JSON file of any "
        "name."
    ),
    "unread-package": (
        "A `package.json` above the project is not JSON, or cannot be read, so nobody can say whether it has the key "
        "`tool`. The search goes on above it, as it may belong to something else. Fix it if it holds your "
        "configuration."
    ),
    "misspelt-variable": (
        "A variable is called almost like one of the tool's, or like a flag instead of its setting, and is not read. "
        "Rename it as the warning says. The reference lists every variable; others that begin with `TOOL_` are not "
        "warned of."
    ),
    "config-kept": (
        "`tool init --force` wrote over a configuration. What was there before is in the backup that is named; delete "
        "it when you no longer need it."
    ),
    "legacy-moved": (
        "A key of the 0.x file stands for a setting of version 1, under another name. Its value is used, and nothing "
        "is lost. `tool config migrate` or the next run rewrites the file with the new name."
    ),
    "legacy-dropped": (
        "A key of the 0.x file is not used: it is unknown, its value has the wrong type, or another key sets the "
        "same. That file is read tolerantly, so the run goes on without it. If the setting matters, write it under "
        "its name of version 1."
    ),
    "legacy-lifted": (
        "The 0.x file was rewritten in the shape of version 1, which happens once. The original is beside it, byte "
        "for byte. Look at what was written, and delete the original when you no longer need it."
    ),
    "legacy-kept": (
        "The 0.x file could not be rewritten in the shape of version 1, for the cause that is named. It is still "
        "read, so the run is as you expect. Make it writable, or write a configuration with `tool init`."
    ),
    "legacy-unread": (
        "There is a 0.x file, and also a configuration of version 1, which alone is read. What is set in the 0.x file "
        "has no effect. Delete it when you no longer need it."
    ),
    "nothing-to-build": (
        "The drop has no archive, or none is selected, so there is nothing to build; the exit code is 0 all the same. "
        "Usually the archives are in another folder, which is the argument of the command, or a pattern leaves "
        "everything out: the log has the reason for each archive."
    ),
    "unused-files": (
        "Something in the drop looks as if it should be built, but is not: an archive of another format, a download "
        "that has not finished, an unpacked component, or archives in a folder that is not looked into. Only `.zip` "
        "files in the drop, its `themes/` and its `modules/` are read. Pack it again or move it, as the warning says."
    ),
    "unmatched-pattern": (
        "A pattern in `modules.include`, `modules.exclude` or `modules.only` matches no module of the drop. It may be "
        "misspelt, in which case something is built that you wanted out, or the other way round; case counts. Correct "
        "or remove it; a pattern of a preset that several projects share may simply be for another one."
    ),
    "needed-module": (
        "A component that is built needs a module of the drop that is left out. It will probably not work in the "
        "finished project. Include the module, or leave out what needs it; the warning names the flag."
    ),
    "needed-theme": (
        "The theme that is built builds on another theme of the drop, and a pattern leaves that one out. The child "
        "theme cannot work without its parent. Take the parent out of the pattern, or include it."
    ),
    "circular-needs": (
        "Components need one another in a circle, or themes are one another's parents. They are built all the same, "
        "but the system may refuse to install any of them first. Tell whoever makes them."
    ),
    "mixed-systems": (
        "The components that are built are for different systems, such as PrestaShop and Drupal. A project usually is "
        "of one system, so an archive may be in the wrong drop. Leave out those that are not for yours; if it is "
        "meant, nothing needs to be done."
    ),
    "unrecognised-archive": (
        "An archive has no marker of a known system, so it is taken for a module and called after its folder or file. "
        "That is right for a simple module. If it is a theme, put it in `themes/` of the drop; if it is neither, "
        "remove it."
    ),
    "unread-marker": (
        "An archive has a file that is called like a marker but identifies nothing: it is broken, too large, or has "
        "no name in it. The archive is told by something else, or taken for a module. Download it again, or fix the "
        "file that is named."
    ),
    "passed-over": (
        "A bundle has an archive inside that is not built: it has no marker, so it may be documentation, or it is a "
        "bundle itself. Put it in the drop by itself if it is to be built."
    ),
    "left-alone": (
        "A bundle has files that belong to none of the components in it. Only the components are built. Unpack the "
        "bundle and put what you need in the drop; often the rest is documentation."
    ),
    "older-archive": (
        "The drop has two versions of one component, and the newer one is built. Remove the older archive; or, if it "
        "is the one that you want, leave the newer one out by its file name."
    ),
    "damaged-archive": (
        "An archive is damaged or hostile, and would be refused, but is not selected. The run goes on, as nothing of "
        "it is built. Get it again, or remove it: selected, it would end the run with exit code 76."
    ),
    "duplicate-archive": (
        "Two archives have the same content for one component, often a download made twice. One of them is built, and "
        "it does not matter which. Remove the other."
    ),
    "empty-archive": (
        "An archive has no files, so nothing is built from it. The download or the packing probably went wrong. "
        "Download it again, or remove it."
    ),
    "missing-hook-folder": (
        "A setting names a folder of hook scripts that does not exist, so no script of it runs. A missing folder is "
        "fine only where nobody named one. Create it, or correct the path, which is relative to the file that names "
        "it, or for a flag or a variable to the current folder."
    ),
    "skipped-hook": (
        "A file among the hook scripts cannot be run: it is not executable, and its suffix is not `.sh` or `.py`. It "
        "is passed over, and the other scripts run. Make it executable, with a first line such as `#!/bin/sh`."
    ),
    "failed-hook": (
        "A hook script failed, and the run went on, because `hooks.onFailure` is `continue`. What the script should "
        "have done may be half done; its output is in the log above. Fix the script; with `--on-failure=fail` a "
        "failing script ends the run."
    ),
    "changed-drop": (
        "An init script changed the drop after it was read. This run builds what was there before, exactly as "
        "planned. Run again to build what is there; a script that fetches archives is better run before the tool."
    ),
    "backed-up": (
        "Versions of files that were not built, or not kept, were put in `.tool-backup/`: yours with `--force` or "
        "`--prune`, the archive's with `--mine`. Nothing of yours is lost. Compare them, and delete the folder when "
        "you no longer need it."
    ),
    "kept-components": (
        "Components that an earlier run built are not built any longer, because they are not selected or their "
        "archive is gone from the drop. They stay in the project, since only `--prune` removes. Pass it if they are "
        "to go; first restore the archives if those were moved by mistake."
    ),
    "in-place": (
        "The folder of a component cannot be exchanged as a whole, for example because it is mounted, so its files "
        "were replaced one by one. If the run is killed meanwhile, the component is whole again after the next run. "
        "Nothing needs to be done."
    ),
    "conflict-ahead": (
        "You have changed a file of a component, and its archive in the drop changes the same file in another way. So "
        "the next run would end with `OutputConflict` and change nothing. Compare the two, then build with `--mine` to "
        "keep your version or with `--force` to take that of the archive; the other one goes to `.tool-backup/`. With "
        "`--keep-going`, the other components are built."
    ),
    "repacked-archive": (
        "With `--frozen`, an archive is not the file that the record names, but holds the same files, as when a forge "
        "packs a release anew. What is built is the same, so it is accepted. A run without `--frozen` writes the new "
        "digest to the record."
    ),
    "interrupted-run": (
        "An earlier run was killed, or the machine went down, while it put components in place. What it had begun is "
        "finished or undone by the next run that writes, so each component is whole. Nothing needs to be done."
    ),
    "live-run": (
        "Another run is building the project at this moment, so what this command shows may be about to change. Look "
        "again when that run has ended."
    ),
    "not-locked": (
        "The project is on a file system without locks, as some network folders are, so a second run at the same time "
        "would not be noticed. Do not start two runs in one project there."
    ),
    "cache-damaged": (
        "The cache could not be read. It only makes an unchanged run fast, so it is made anew, and nothing is lost. "
        "If the file is something else altogether it is left alone: set `cache.file` to another path."
    ),
    "cache-unwritable": (
        "The cache could not be written, for the cause that is named. What was built is right; only the next run "
        "takes longer. Make the file writable, set `cache.file`, or pass `--no-cache`."
    ),
    "left-over": (
        "Temporary files of a run could not be removed, for the cause that is named. They do no harm, and the next "
        "run tries again. Give the permission, or remove them yourself."
    ),
}
