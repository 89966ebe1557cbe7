"""The configuration and the plan as pure transforms of values: the map of the whole.

Nothing here reads the disk, the clock or the environment, and nothing here prints: what a
function needs is passed to it, and what it finds is returned. `io_edges` does the rest and has
subpackages of the same names.

Two chains; `resolve` and `plan` are their tables of contents, to be read
first (`docs/contributing/architecture.md`):

    settings    locate → read → parse → normalise → migrate → validate → merge → emit      resolve
    build       find → examine → select → plan → apply                                     plan

The modules in this folder; `find`, `examine` and `apply` are effects, and the other stages of the
second chain are in subpackages:

    resolve     from flags, variables and files to settings             docs/configuration.md
    plan        from archives, settings and a project to a run          docs/building.md
    locate      which file is the configuration                         docs/configuration.md
    read        its bytes, or what a script evaluates to                docs/scripts.md
    parse       bytes to plain data, with the position of each value    docs/configuration.md
    normalise   the shorthand `exclude` into `modules.exclude`          docs/configuration.md
    migrate     the 0.x shape to version 1                              docs/configuration.md
    validate    plain data to a layer, or every error of the file       docs/configuration.md
    merge       five layers to settings, and what each overrode         docs/configuration.md
    emit        settings, archives and plan to lines of the log         docs/reference/events.md
    schema      every setting, which all of the above read              docs/reference/settings.md
    values      a value with some fields changed, checked by mypy

The subpackages, in the order in which a run enters them. The effects of each are in the subpackage
of `io_edges` with the same name:

    config/       trees, layers, flags, variables, presets, JSON       docs/configuration.md
    archives/     archives as values, whether they are safe, markers   docs/archives.md
    systems/      what is known of each system, one file a system      docs/archives.md, building.md
    recognition/  what an archive is, as the systems say               docs/archives.md
    selection/    which theme and modules are built, which left out    docs/archives.md
    building/     plan, record, whose file stands, journal, status     docs/building.md
    init/         the questions of `tool init`, and what they write    docs/configuration.md
    report/       errors, warnings and events, which all share         docs/reference/errors.md

Where something is decided, and where something new goes: the tables at the end
of `docs/contributing/architecture.md`.
"""

__version__ = "1.0.0"
