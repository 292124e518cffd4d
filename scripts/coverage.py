"""Sums what gcov counted over all objects of a build.

usage: coverage.py BUILD SOURCE
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile

build, source = (os.path.realpath(path) for path in sys.argv[1:3])
library = tuple(os.path.join(source, folder) + os.sep
                for folder in ("src", "include"))
lines, branches = {}, {}


def add(report, folder):
    """Add the counts of one object."""
    for part in report["files"]:
        name = os.path.realpath(os.path.join(folder, part["file"]))
        if not name.startswith(library):
            continue
        for line in part["lines"]:
            key = (name, line["line_number"])
            lines[key] = lines.get(key, 0) + line["count"]
            for i, branch in enumerate(line["branches"]):
                # Branches that only an exception takes say little.
                if not branch["throw"]:
                    key = (name, line["line_number"], i)
                    branches[key] = branches.get(key, 0) + branch["count"]


def main():
    """Read every object, print the table."""
    for folder, _, names in os.walk(build):
        for name in names:
            # Of an object that no test linked there is no .gcda: nothing ran.
            if not name.endswith(".gcno"):
                continue
            with tempfile.TemporaryDirectory() as scratch:
                subprocess.run(
                    ["gcov", "-b", "-j", os.path.join(folder, name)],
                    cwd=scratch, check=True, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL)
                for result in os.listdir(scratch):
                    with gzip.open(os.path.join(scratch, result)) as stream:
                        add(json.load(stream), folder)
    missed = {}
    for (name, number), count in sorted(lines.items()):
        missed.setdefault(name, [])
        if count == 0:
            missed[name].append(number)
    share = 100.0 * sum(c > 0 for c in lines.values()) / max(1, len(lines))
    taken = 100.0 * sum(c > 0 for c in branches.values()) / max(
        1, len(branches))
    for name, numbers in sorted(missed.items()):
        if numbers:
            print("%s: %s" % (os.path.relpath(name, source),
                              " ".join(map(str, numbers))))
    print("coverage: %.1f %% of %d lines, %.1f %% of %d branches" % (
        share, len(lines), taken, len(branches)))
    return 0 if share >= 90.0 else 1


sys.exit(main())
