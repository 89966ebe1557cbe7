"""Native code: that a script loads none, and what it could do if it did. Both are compiled here."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from io_edges.scripts import confine, landlock, seccomp
from io_edges.scripts.landlock import AllowedPaths
from io_edges.scripts.libraries import libraries
from tests.support.scripts import kernel_confines, kernel_filters, lay, outcome, ts
from tests.support.sweep import Counted

COMPILER = shutil.which("gcc") or ""
pytestmark = [
    pytest.mark.skipif(not COMPILER, reason="there is no compiler"),
    pytest.mark.skipif(not (kernel_confines() and kernel_filters()), reason="the kernel does not confine"),
]

LIBRARY = """
long write(int, const void *, unsigned long);
__attribute__((constructor)) static void start(void) { write(2, "native code\\n", 12); }
"""
DRIVER = '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}'
WAYS = {
    "EGL": "process.env.__EGL_VENDOR_LIBRARY_FILENAMES = `${folder}/driver.json`; await navigator.gpu.requestAdapter()",
    "Mesa": "process.env.LIBGL_DRIVERS_PATH = folder; await navigator.gpu.requestAdapter()",
    "Vulkan": "process.env.VK_ICD_FILENAMES = `${folder}/driver.json`; await navigator.gpu.requestAdapter()",
    "EGL, in a worker": (
        "process.env.__EGL_VENDOR_LIBRARY_FILENAMES = `${folder}/driver.json`;"
        "const source = 'data:text/javascript,await navigator.gpu.requestAdapter();postMessage(1)';"
        "const worker = new Worker(source, { type: 'module' });"
        "await new Promise((done) => worker.onmessage = done); worker.terminate()"
    ),
}
"""How libraries for graphics, which the runtime loads without a permission, are told to load what a script likes."""
LAYERS: dict[str, tuple[object, ...]] = {
    "neither": (landlock, seccomp),
    "Landlock": (seccomp,),
    "seccomp": (landlock,),
    "both": (),
}
"""The parts of the kernel that are there, and the modules of those that are not."""


def compiled(folder: Path, text: str, *options: str) -> Path:
    """What the compiler makes of a text."""
    lay(folder, {"source.c": text})
    made = folder / "made.so"
    subprocess.run([COMPILER, *options, "-o", made, folder / "source.c"], check=True)
    return made


def refuse(*_: object) -> None:
    """A kernel that does not have this."""
    raise OSError


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_script_loads_no_native_code(project: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """A library of the project is not loaded, whichever of both parts of the kernel is there; without them it is."""
    library = compiled(project, LIBRARY, "-shared", "-fPIC")
    lay(project, {"driver.json": DRIVER % library})
    for name in ("swrast_dri.so", "kms_swrast_dri.so"):
        (project / name).symlink_to(library)
    script = lay(project, ts(f"const folder = import.meta.dirname!;\n{way};\nexport default {{ a: `1` }};"))
    loaded = {}
    for layer, missing in LAYERS.items():
        printed: list[tuple[str, str]] = []
        with monkeypatch.context() as kernel:
            for module in missing:
                kernel.setattr(module, "restriction", refuse)
            outcome(script, project, printed)
        loaded[layer] = ("stderr", "native code") in printed
        if not loaded["neither"]:
            pytest.skip("no library for graphics is here that loads it")
    assert loaded == {"neither": True, "Landlock": False, "seccomp": False, "both": False}


def test_the_runtime_starts_without_libraries_of_the_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty entry in `LD_LIBRARY_PATH`, which is the project for the runtime, has no effect."""
    monkeypatch.setenv("LD_LIBRARY_PATH", ":/nowhere")
    compiled(project, LIBRARY, "-shared", "-fPIC").rename(project / "libdl.so.2")
    assert outcome(lay(project, ts("export default { a: `${1}` }")), project) == {"a": "1"}


def test_the_libraries_of_a_program_are_found(tmp_path: Path) -> None:
    """They are those that the loader names: of the system, of the folder that the program says, and what these need."""
    compiled(tmp_path, LIBRARY, "-shared", "-fPIC", "-Wl,--no-as-needed", "-lm").rename(tmp_path / "liba.so")
    options = (f"-L{tmp_path}", "-Wl,-rpath,$ORIGIN/../" + tmp_path.name, "-Wl,--no-as-needed", "-la")
    program = compiled(tmp_path, "int main(void) { return 0; }", *options)
    traced = {"LD_TRACE_LOADED_OBJECTS": "1"}
    told = subprocess.run([program], env=traced, capture_output=True, text=True, check=True).stdout
    found = {Path(each).resolve() for each in libraries(str(program))}
    assert found == {Path(each).resolve() for each in re.findall(r"(/\S+) \(", told)}


def test_no_libraries_are_found_of_what_is_no_program(tmp_path: Path) -> None:
    """What is no program, or not whole, has no libraries; nor is it an error."""
    whole = Path(sys.executable).read_bytes()
    lay(tmp_path, {"text": "#!/bin/sh"})
    (tmp_path / "cut").write_bytes(whole[:70])
    (tmp_path / "without").write_bytes(whole[:56] + bytes(8))
    assert [libraries(str(tmp_path / name)) for name in ("text", "cut", "without")] == [(), (), ()]


CALLS = {  # expressions in C that are -1 or null if they fail
    "run a program": 'execl("/bin/true", "true", (char *)0)',
    "run itself again": "execve(program, (char *[]){program, 0}, 0)",
    "run the descriptor of the runtime": 'syscall(SYS_execveat, 4095, "", (char *[]){program, 0}, 0, AT_EMPTY_PATH)',
    "start a process": "fork()",
    "start a process that shares memory": "syscall(SYS_clone, CLONE_VM | SIGCHLD, 0, 0, 0, 0)",
    "another namespace": "unshare(CLONE_NEWUSER)",
    "a socket of the system": "socket(AF_UNIX, SOCK_STREAM, 0)",
    "UDP": "socket(AF_INET, SOCK_DGRAM, 0)",
    "TCP": "socket(AF_INET6, SOCK_STREAM, 0)",
    "netlink": "socket(AF_NETLINK, SOCK_RAW, 0)",
    "a pair of datagrams": "socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)",
    "trace the tool": "ptrace(PTRACE_ATTACH, getppid(), 0, 0)",
    "signal the tool": "kill(getppid(), 0)",
    "hear of changes": "inotify_init1(0)",
    "the name of the machine": 'sethostname("a", 1)',
    "lock": "flock(file, LOCK_EX)",
    "lock a part": "fcntl(file, F_SETLK, &(struct flock){.l_type = F_RDLCK})",
    "write": 'open("data.txt", O_WRONLY)',
    "make": 'open("made", O_CREAT | O_RDONLY, 0600)',
    "truncate": 'truncate("data.txt", 0)',
    "delete": 'unlink("data.txt")',
    "rename": 'rename("data.txt", "made")',
    "mode": "fchmod(file, 0777)",
    "times": "futimens(file, 0)",
    "read outside": 'open("/etc/passwd", O_RDONLY)',
    "read a library": 'open("/usr/lib/os-release", O_RDONLY)',
    "outlive the tool": "prctl(PR_SET_PDEATHSIG, 0)",
    "raise a limit": "setrlimit(RLIMIT_CPU, &(struct rlimit){1000, 1000})",
    "a file in memory": 'syscall(SYS_memfd_create, "a", 0)',
    "a queue of calls": "syscall(425, 1, pair)",
    "another user": "setuid(65534)",
    "another session": "setpgid(0, 0)",
}
PROGRAM = Path(__file__).parent.parent / "support" / "data" / "native.c"


def test_native_code_could_do_nothing(project: Path, counted: Counted) -> None:
    """Even native code in the place of the runtime could only read the project, compute, and answer."""
    lay(project, {"data.txt": "data"})
    attempts = "".join(f'    printf("{name}: %d\\n", ({call}) != -1);\n' for name, call in CALLS.items())
    program = compiled(project, PROGRAM.read_text().replace("/* attempts */", attempts), "-pthread", "-w")
    reach = AllowedPaths(read=(str(project),), run=(str(program), *libraries(str(program))))
    child = confine.start([str(program)], str(project), {}, reach)
    answer, complaint = child.communicate(timeout=60)
    allowed = "open: 1, start a thread: 1\nexecute memory: 1\nexecute a file: 0\n"
    assert (answer.decode(), complaint.decode(), child.returncode) == (
        allowed + "".join(f"{name}: 0\n" for name in CALLS),
        "",
        0,
    )
    counted("attempts of native code", len(CALLS))
