#!/usr/bin/env bash
# pytest-cov 7.1.0 with pytest-xdist 3.8.0 and coverage 7.17.5: in a worker, stopping coverage does not stop it.
#
# Expected: `Coverage.current().stop()` ends the measurement, with or without `-n`: nothing is traced from there on.
# Happens: in a worker two measurements run, one inside the other. Stopping the inner one resumes the outer one, so
# each line is traced, and is as slow, as before, although no report counts it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pytest==9.1.0 pytest-cov==7.1.0 pytest-xdist==3.8.0 coverage==7.17.5
mkdir "$folder/project"
cd "$folder/project"
cat > measured.py <<'EOF'
def answer():
    return 42
EOF
cat > test_it.py <<'EOF'
import sys
from pathlib import Path
from coverage import Coverage
from measured import answer


def test_it():
    assert answer() == 42
    stopped = []
    while sys.gettrace() and (measurement := Coverage.current()):
        measurement.stop()
        stopped.append(measurement)
    for measurement in reversed(stopped):
        measurement.start()
    Path("stopped.txt").write_text(str(len(stopped)))
EOF
export COVERAGE_CORE=ctrace
stops() {
  "$folder/venv/bin/python" -m pytest --quiet --cov=measured "$@" > out.txt
  cat stopped.txt
}
alone=$(stops)
worker=$(stops -n 1)
echo "pytest-cov 7.1.0, pytest-xdist 3.8.0, coverage 7.17.5"
echo "measurements to stop until nothing is traced: $alone in one process, $worker in a worker"
[ "$alone $worker" = "1 2" ] || { echo "changed: as many have to be stopped in both, or others" >&2; exit 1; }
