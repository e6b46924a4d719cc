#!/usr/bin/python3
"""Draws flame graphs from recordings of Java's Flight Recorder, as one SVG picture.

    docs/benchmarks/flame.py TITLE FILE.jfr... > picture.svg

Each frame is as wide as its share of the samples of the event loops. Samples that wait for events are left out, and
frames below half a percent. The program `jfr` of the JDK reads the recordings. The text of a frame that is too narrow for
it shows when the pointer rests on it.

To record a running process, such as a server of a benchmark, for 25 s:

    export JAVA_TOOL_OPTIONS=-XX:FlightRecorderOptions=stackdepth=512       (before the start; by default stacks end after 64 frames)
    jcmd PID JFR.start settings=docs/benchmarks/samples.jfc duration=25s filename=/tmp/server.jfr
"""

import html
import json
import re
import subprocess
import sys

WIDTH = 1200
ROW = 16
LETTER = 6.2
SHARE_MIN = 0.005
IDLE = re.compile("epollWait|EPoll.wait|FileInputStream")
COLOURS = ((re.compile("fanfare"), "#f2a65a"), (re.compile(r"^(Native|Socket|FileDescriptor)\."), "#9db4c0"))
OTHER = "#f4d58d"
LIBRARIES = (("io.netty.", "Netty"), ("io.vertx.", "Vert.x"), ("java.", "Java"), ("jdk.", "Java"), ("com.fasterxml.jackson.", "Jackson"))


def frames(trace):
    """Names of a stack, the outermost first. Frames of one library that follow each other are one, but for the innermost."""
    names = []
    stack = trace["frames"]
    for i in range(len(stack) - 1, -1, -1):
        method = stack[i]["method"]
        owner = re.sub(r"\$\$Lambda.*|\$[0-9]+$", "", method["type"]["name"].replace("/", "."))
        library = next((name for prefix, name in LIBRARIES if owner.startswith(prefix)), "")
        package, _, name = owner.rpartition(".")
        own = ("fanfare:" if "fanfare" in package else "") + name + "." + method["name"]
        if library and i > 0:
            own = library
        if not names or names[-1] != own:
            names.append(own)
    return names


def samples(file):
    events = "jdk.ExecutionSample,jdk.NativeMethodSample"
    command = ["jfr", "print", "--json", "--stack-depth", "512", "--events", events, file]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for event in json.loads(printed)["recording"]["events"]:
        values = event["values"]
        thread = (values.get("sampledThread") or {}).get("javaName") or ""
        if values.get("stackTrace") and "eventloop" in thread:
            stack = frames(values["stackTrace"])
            if not any(IDLE.search(name) for name in stack[-2:]):
                yield stack


def add(node, stack):
    node["count"] += 1
    for name in stack:
        node = node["below"].setdefault(name, {"count": 0, "below": {}})
        node["count"] += 1


def draw(node, total, left, depth, out):
    """Draws what a frame has called, side by side, the widest first; answers the number of rows."""
    deepest = depth
    for name, child in sorted(node["below"].items(), key=lambda item: -item[1]["count"]):
        width = WIDTH * child["count"] / total
        if child["count"] >= SHARE_MIN * total:
            label = name.removeprefix("fanfare:")
            letters = int(width / LETTER) - 1
            colour = next((colour for pattern, colour in COLOURS if pattern.search(name)), OTHER)
            place = f'x="{left:.1f}" y="{depth * ROW}" width="{max(width - 0.5, 0.5):.1f}" height="{ROW - 1}"'
            out.append(f'<g><title>{html.escape(label)} {100 * child["count"] / total:.1f} %</title><rect {place} fill="{colour}"/>')
            if letters > 3:
                out.append(f'<text x="{left + 3:.1f}" y="{depth * ROW + 12}">{html.escape(label[:letters])}</text>')
            out.append("</g>")
            deepest = max(deepest, draw(child, total, left, depth + 1, out))
        left += width
    return deepest


def common(node):
    """The first frame below which stacks differ: what lies above it is the same in all."""
    while len(node["below"]) == 1 and next(iter(node["below"].values()))["count"] > 0.98 * node["count"]:
        node = next(iter(node["below"].values()))
    return node


def main(title, files):
    root = {"count": 0, "below": {}}
    for file in files:
        for stack in samples(file):
            add(root, stack)
    if root["count"] == 0:
        sys.exit("No event loop has a sample: record for longer, while the process works.")
    top = common(root)
    out = []
    rows = draw(top, top["count"], 0, 2, out) + 1
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {rows * ROW}" font-family="sans-serif" font-size="11">\n'
        f'<rect width="100%" height="100%" fill="#fff"/><text x="3" y="14" font-size="14">{html.escape(title)}: {root["count"]:,} samples</text>\n'
        + "\n".join(out)
        + "\n</svg>"
    )


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
