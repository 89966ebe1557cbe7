"""PHP: code of systems and of their libraries, run to judge what the tool reads."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest


def run_php(program: str, values: Any, *libraries: str) -> Any:
    """The result of a program in PHP, given data as `$values`; libraries are those of Debian, by
    their paths.

    The program ends with a `return`.
    """
    if shutil.which("php") is None:
        pytest.skip("php is not installed")
    for library in libraries:
        if not Path(library).exists():
            pytest.skip(f"{library} is not installed")
    requires = "".join(f"require {json.dumps(library)};" for library in libraries)
    code = (
        f"{requires} echo json_encode((function($values) {{ {program} }})"
        "(json_decode(stream_get_contents(STDIN), true)), JSON_THROW_ON_ERROR);"
    )
    ran = subprocess.run(
        ["php", "-r", code], input=json.dumps(values), capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)


def functions_of(file: Path, *names: str) -> str:
    """The text of functions in a file, which is not run as a whole."""
    if not file.exists():
        pytest.skip(f"{file} is not installed")
    text = file.read_text(encoding="utf-8")
    begins = [text.index(f"\nfunction {name}(") for name in names]
    return "\n".join(text[begin : text.index("\n}\n", begin) + 3] for begin in begins)


def module_in(before: str, body: str, constructor: str) -> str:
    """A file with the class of a module, with other code before it, in it, and in
    its constructor.
    """
    code = (
        f"{before} class Tide extends Module {{ {body} function __construct() {{ {constructor} "
        f"}} }}"
    )
    return f"it's <?php {code}"


def instance_of(code: str, *properties: str) -> dict[str, Any]:
    """What PHP has in some properties of a new module, given the file with its class; nothing if
    PHP refuses that.
    """
    program = """
        define('_PS_VERSION_', '8.1.0');
        class Module {}
        function f() { return 'of a function'; }
        set_error_handler(fn() => true);
        ob_start();
        eval('?>' . $values['code']);
        $module = new Tide;
        ob_end_clean();
        foreach ($values['properties'] as $name) $all[$name] = $module->$name ?? null;
        return $all;
    """
    try:
        given: dict[str, Any] = run_php(program, {"code": code, "properties": properties})
    except subprocess.CalledProcessError:
        return {}
    return given
