# Completion of tool for bash, made from its command line by docs/generate.py.

# Set what follows a command: the commands below it, its flags, and those of them that take a value.
_tool_command() {
    commands='' flags='' valued=''
    case $1 in
        'tool')
            commands='create status init inspect explain config completion help'
            flags='--help -h --version -V'
            ;;
        'tool create')
            flags='--output -o --config --no-exec --no-hooks --wait --help -h --version -V --dry-run -n --check --frozen --force --mine --prune --keep-going --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --cache --no-cache --quiet -q --verbose -v --log-format'
            valued='--output -o --config --wait --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --log-format'
            ;;
        'tool status')
            flags='--output -o --config --no-exec --help -h --version -V --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --cache --no-cache --quiet -q --verbose -v --log-format'
            valued='--output -o --config --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --log-format'
            ;;
        'tool init')
            flags='--yes --format --force --no-exec --help -h --version -V --theme --exclude --preset --presets-search-path --on-failure --cache-file --log-format --quiet -q --verbose -v'
            valued='--format --theme --exclude --preset --presets-search-path --on-failure --cache-file --log-format'
            ;;
        'tool inspect')
            flags='--help -h --version -V --quiet -q --verbose -v --log-format'
            valued='--log-format'
            ;;
        'tool explain')
            flags='--output -o --config --no-exec --help -h --version -V --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --cache --no-cache --quiet -q --verbose -v --log-format'
            valued='--output -o --config --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --log-format'
            ;;
        'tool config')
            commands='show validate diff migrate schema types'
            flags='--help -h --version -V'
            ;;
        'tool config show')
            flags='--output -o --config --no-exec --html --help -h --version -V --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --cache --no-cache --quiet -q --verbose -v --log-format'
            valued='--output -o --config --html --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --log-format'
            ;;
        'tool config validate')
            flags='--config --no-exec --discover --strict --format --help -h --version -V --quiet -q --verbose -v --log-format'
            valued='--config --format --log-format'
            ;;
        'tool config diff')
            flags='--config --no-exec --env --help -h --version -V --quiet -q --verbose -v --log-format'
            valued='--config --env --log-format'
            ;;
        'tool config migrate')
            flags='--dry-run -n --config --no-exec --help -h --version -V --quiet -q --verbose -v --log-format'
            valued='--config --log-format'
            ;;
        'tool config schema')
            flags='--help -h --version -V --quiet -q --verbose -v --log-format'
            valued='--log-format'
            ;;
        'tool config types')
            flags='--help -h --version -V --quiet -q --verbose -v --log-format'
            valued='--log-format'
            ;;
        'tool completion')
            flags='--help -h --version -V --quiet -q --verbose -v --log-format'
            valued='--log-format'
            ;;
        'tool help')
            commands='create status init inspect explain config completion'
            flags='--help -h --version -V'
            ;;
        'tool help create')
            flags='--help -h --version -V'
            ;;
        'tool help status')
            flags='--help -h --version -V'
            ;;
        'tool help init')
            flags='--help -h --version -V'
            ;;
        'tool help inspect')
            flags='--help -h --version -V'
            ;;
        'tool help explain')
            flags='--help -h --version -V'
            ;;
        'tool help config')
            commands='show validate diff migrate schema types'
            flags='--help -h --version -V'
            ;;
        'tool help config show')
            flags='--help -h --version -V'
            ;;
        'tool help config validate')
            flags='--help -h --version -V'
            ;;
        'tool help config diff')
            flags='--help -h --version -V'
            ;;
        'tool help config migrate')
            flags='--help -h --version -V'
            ;;
        'tool help config schema')
            flags='--help -h --version -V'
            ;;
        'tool help config types')
            flags='--help -h --version -V'
            ;;
        'tool help completion')
            flags='--help -h --version -V'
            ;;
    esac
}

# Set what a value may be: of a flag, or of the argument at a position.
_tool_value() {
    choices='' paths=none
    case $1 in
        *' --output' | *' -o' | *' --presets-search-path' | *' --init-scripts-dir' | *' --post-scripts-dir' | 'tool create '1 | 'tool status '1 | 'tool init '1 | 'tool explain '2 | 'tool config show '1)
            paths=folders
            ;;
        *' --config' | *' --cache-file' | *' --html' | 'tool inspect '[0-9]* | 'tool config validate '[0-9]* | 'tool config diff '[0-9]*)
            paths=files
            ;;
        *' --theme')
            choices='auto none'
            paths=files
            ;;
        *' --preset')
            choices='none ci'
            paths=files
            ;;
        *' --on-failure')
            choices='continue fail'
            paths=none
            ;;
        *' --log-format')
            choices='text json'
            paths=none
            ;;
        'tool init --format')
            choices='json ts js package'
            paths=none
            ;;
        'tool config validate --format')
            choices='text json github gitlab sarif'
            paths=none
            ;;
        'tool explain '1)
            choices='theme modules.include modules.exclude modules.only presets presetsSearchPath hooks.initScriptsDir hooks.postScriptsDir hooks.onFailure cache.file cache.enabled log.format config UsageError SchemaValidationError ConfigSyntaxError ConfigEvaluationError RedundantSetting ConfigNotFound ConfigUnreadable PresetNotFound ThemeNotFound ThemeAmbiguous ComponentAmbiguous ScriptRuntimeUnavailable InternalError DropNotFound OutputConflict FileSystemProblem ProjectLocked ArchiveRejected HookFailed OutOfDate Interrupted Terminated shadowed-config unread-config unread-package misspelt-variable config-kept legacy-moved legacy-dropped legacy-lifted legacy-kept legacy-unread nothing-to-build unused-files unmatched-pattern needed-module needed-theme circular-needs mixed-systems unrecognised-archive unread-marker passed-over left-alone older-archive damaged-archive duplicate-archive empty-archive missing-hook-folder skipped-hook failed-hook changed-drop backed-up kept-components in-place conflict-ahead repacked-archive interrupted-run live-run not-locked cache-damaged cache-unwritable left-over 0 64 65 66 67 68 69 70 72 73 74 75 76 79 80 130 143'
            paths=files
            ;;
        'tool completion '1)
            choices='bash zsh fish'
            paths=none
            ;;
    esac
}

_tool() {
    local current=${COMP_WORDS[COMP_CWORD]} command=tool flag='' position=1 options=yes
    local commands flags valued choices='' paths=none word i
    _tool_command "$command"
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == '=' ]]; then
            continue # between a flag and its value, which are words of their own
        elif [[ -n $flag ]]; then
            flag=''
        elif [[ $options == yes && $word == '--' ]]; then
            options=no
        elif [[ $options == yes && $word == -* ]]; then
            [[ " $valued " == *" $word "* ]] && flag=$word
        elif [[ " $commands " == *" $word "* ]]; then
            command+=" $word"
            _tool_command "$command"
        else
            ((position++))
        fi
    done
    [[ $current == '=' ]] && current=''
    if [[ -n $flag ]]; then
        _tool_value "$command $flag"
    elif [[ $options == yes && $current == -* ]]; then
        choices=$flags
    elif [[ -n $commands ]]; then
        choices=$commands
    else
        _tool_value "$command $position"
    fi
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(compgen -W "$choices" -- "$current")
    # Where nothing else matches, readline completes paths; bash 3.2 cannot be told which.
    case $paths in
        folders) compopt -o dirnames +o default +o bashdefault ;;
        none) compopt +o default +o bashdefault ;;
    esac 2> /dev/null
}

complete -o bashdefault -o default -F _tool tool
