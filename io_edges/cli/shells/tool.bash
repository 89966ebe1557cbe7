# Completion of tool for bash, made from its command line by docs/generate.py.

# Set what follows a command: the commands below it, its flags, and those of them that take a value.
_tool_command() {
    commands='' flags='' valued=''
    case $1 in
        'tool')
            commands='create status diff undo log init inspect explain config completion help'
            flags='--help -h --version -V'
            ;;
        'tool create')
            flags='--output -o --config --no-exec --themes-dir --modules-dir --no-hooks --wait --help -h --version -V --dry-run -n --check --frozen --merge --force --mine --prune --keep-going --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --cache --no-cache --quiet -q --verbose -v --log-format'
            valued='--output -o --config --themes-dir --modules-dir --wait --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --log-format'
            ;;
        'tool status')
            flags='--output -o --config --no-exec --themes-dir --modules-dir --check --help -h --version -V --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --cache --no-cache --quiet -q --verbose -v --log-format'
            valued='--output -o --config --themes-dir --modules-dir --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --log-format'
            ;;
        'tool diff')
            flags='--output -o --config --no-exec --themes-dir --modules-dir --stat --help -h --version -V --mine --theirs --merge --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --cache --no-cache --quiet -q --verbose -v --log-format'
            valued='--output -o --config --themes-dir --modules-dir --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --log-format'
            ;;
        'tool undo')
            flags='--output -o --dry-run -n --config --no-exec --no-hooks --wait --force --mine --help -h --version -V --preset --presets-search-path --post-scripts-dir --on-failure --quiet -q --verbose -v --log-format'
            valued='--output -o --config --wait --preset --presets-search-path --post-scripts-dir --on-failure --log-format'
            ;;
        'tool log')
            flags='--output -o --help -h --version -V --quiet -q --verbose -v --log-format'
            valued='--output -o --log-format'
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
            flags='--output -o --config --no-exec --themes-dir --modules-dir --help -h --version -V --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --cache --no-cache --quiet -q --verbose -v --log-format'
            valued='--output -o --config --themes-dir --modules-dir --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --log-format'
            ;;
        'tool config')
            commands='show validate migrate schema types'
            flags='--help -h --version -V'
            ;;
        'tool config show')
            flags='--config --no-exec --help -h --version -V --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --cache --no-cache --quiet -q --verbose -v --log-format'
            valued='--config --theme --include --exclude --only --preset --presets-search-path --init-scripts-dir --post-scripts-dir --on-failure --cache-file --log-format'
            ;;
        'tool config validate')
            flags='--config --no-exec --discover --format --help -h --version -V --quiet -q --verbose -v --log-format'
            valued='--config --format --log-format'
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
            commands='create status diff undo log init inspect explain config completion'
            flags='--help -h --version -V'
            ;;
        'tool help create')
            flags='--help -h --version -V'
            ;;
        'tool help status')
            flags='--help -h --version -V'
            ;;
        'tool help diff')
            flags='--help -h --version -V'
            ;;
        'tool help undo')
            flags='--help -h --version -V'
            ;;
        'tool help log')
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
            commands='show validate migrate schema types'
            flags='--help -h --version -V'
            ;;
        'tool help config show')
            flags='--help -h --version -V'
            ;;
        'tool help config validate')
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
    choices='' paths=none components=no
    case $1 in
        *' --output' | *' -o' | *' --themes-dir' | *' --modules-dir' | *' --presets-search-path' | *' --init-scripts-dir' | *' --post-scripts-dir' | 'tool create '1 | 'tool status '1 | 'tool diff '1 | 'tool init '1 | 'tool explain '2)
            paths=folders
            ;;
        *' --config' | *' --cache-file' | 'tool inspect '[0-9]* | 'tool config validate '[0-9]*)
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
            choices='text json github'
            paths=none
            ;;
        'tool create '[0-9]* | 'tool status '[0-9]* | 'tool diff '[0-9]* | 'tool log '[0-9]*)
            components=yes
            paths=folders
            ;;
        'tool explain '1)
            choices='theme modules.include modules.exclude modules.only presets presetsSearchPath hooks.initScriptsDir hooks.postScriptsDir hooks.onFailure cache.file cache.enabled log.format config misspelt-variable shadowed-config unread-config config-kept legacy-moved legacy-dropped legacy-lifted legacy-kept nothing-to-build unused-files unmatched-pattern needed-component missing-need circular-needs mixed-systems problem-ahead damaged-archive unrecognised-archive unread-marker not-built drop-ins guessed-names unseen-component passed-over left-alone older-archive duplicate-archive empty-archive repacked-archive conflict-ahead taken-over another-version record-ahead backed-up built-again kept-components in-place local-unreadable not-taken-over archives-not-kept not-locked git-changes-line-ends git-leaves-out cache-damaged cache-unwritable state-damaged state-unwritable left-over failed-hook skipped-hook missing-hook-folder changed-drop interrupted-run live-run not-logged UsageError SchemaValidationError ConfigSyntaxError ConfigEvaluationError ConfigNotFound ConfigUnreadable PresetNotFound ThemeNotFound ThemeAmbiguous ComponentNotFound ComponentAmbiguous ScriptRuntimeUnavailable InternalError DropNotFound OutputConflict ComponentReplaced FileSystemProblem ProjectLocked ArchiveRejected HookFailed OutOfDate Interrupted Terminated 0 64 65 66 67 68 69 70 72 73 74 75 76 79 80 130 143'
            components=yes
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
    local commands flags valued choices='' paths=none components=no word i
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
    if [[ $components == yes ]]; then
        compopt -o nosort 2> /dev/null # since bash 4.4
        for word in modules/*/ themes/*/ wp-content/plugins/*/ wp-content/themes/*/ modules/contrib/*/ themes/contrib/*/ web/modules/contrib/*/ web/themes/contrib/*/ docroot/modules/contrib/*/ docroot/themes/contrib/*/; do
            word=${word%/} word=${word##*/}
            [[ $word == "$current"* && $word != *[!A-Za-z0-9_.-]* ]] && COMPREPLY+=("$word")
        done
    fi
    if [[ $components == yes && $paths == files && -n $current ]]; then
        compopt -o filenames 2> /dev/null # beside the words, as some begin like files
        while IFS= read -r word; do
            COMPREPLY+=("$word")
        done < <(compgen -f -- "$current")
    fi
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
