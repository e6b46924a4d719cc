#!/usr/bin/python3
"""Writes the calls and types of the client libraries in TypeScript and Python, as openapi.yaml describes them.

    clients/generate.py [--check]

With --check it writes nothing, and exits with 1 when a file differs from the description. It needs PyYAML (Debian:
python3-yaml). docs/adr/0056-client-libraries.md has the reasons for a generator of our own.
"""

import keyword
import pathlib
import re
import sys
import textwrap

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
API = yaml.load((ROOT / "api/src/main/resources/openapi.yaml").read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
HEADER = "Generated from openapi.yaml by clients/generate.py: change that file, and run it."

# Not for programs that have a token: pages for people, documents, sessions of browsers, answers that are always empty, and
# streams, which are no calls.
TAGS_LEFT_OUT = {"pages", "session", "stubs"}
PATHS = re.compile(r"/api/v|/oauth/(token|revoke)$|/\.well-known/(nodeinfo|webfinger|oauth)|/nodeinfo/")
STREAMS = re.compile(r"/api/v1/streaming(?!/tickets)")
# Later versions of the same are calls.
SUPERSEDED = re.compile(r"V1$|AsBefore$")

# POSTs whose repetition changes nothing, by the end of their path. A repeated clear deletes what has arrived in between.
STATE_SETTING = set("""follow unfollow remove_from_followers block unblock mute unmute note endorse unendorse feature unfeature
    favourite unfavourite bookmark unbookmark pin unpin unreblog read unread revoke markers tickets""".split())
METHODS = ("get", "post", "put", "patch", "delete")


def resolved(node):
    while "$ref" in node:
        target = API
        for part in node["$ref"][2:].split("/"):
            target = target[part]
        node = target
    return node


class Argument:
    """One argument of a call: a parameter of the path or the query, or a field of the body."""

    def __init__(self, name, schema, required, description, place):
        self.name, self.schema, self.required, self.place = name, schema, required, place
        self.description = description or resolved(schema).get("description", "")


class Operation:
    def __init__(self, method, path, node):
        self.method, self.path, self.node = method, path, node
        self.name = node["operationId"]
        self.parameters = [resolved(p) for p in node.get("parameters", [])]
        answers = [resolved(r) for code, r in node["responses"].items() if code.startswith("2")]
        self.paged = any("Link" in (r.get("headers") or {}) for r in answers)
        content = next((r["content"] for r in answers if r.get("content")), {})
        self.kind = "j" if "application/json" in content else "t" if "text/plain" in content else "b"
        self.answer = content["application/json"]["schema"] if self.kind == "j" else None
        self.keyed = any(p["name"] == "Idempotency-Key" for p in self.parameters)
        last = path.rsplit("/", 1)[1]
        self.safe = method != "post" or last in STATE_SETTING
        self.arguments = list(self._arguments())

    def is_admin(self):
        """Whether it is one of moderators."""
        return "/admin/" in self.path

    def flags(self):
        return ("k" if self.keyed else "") + ("s" if self.safe else "") + ("l" if self.paged else "") + (self.kind if self.kind != "j" else "")

    def _arguments(self):
        seen = set()
        for p in self.parameters:
            name = p["name"].removesuffix("[]")
            if p["in"] in ("path", "query") and not (p["in"] == "query" and self.method != "get"):
                seen.add(name)
                yield Argument(name, p["schema"], p["in"] == "path" or p.get("required", False), p.get("description"), p["in"])
        body = resolved(self.node.get("requestBody", {})).get("content", {})
        body = body.get("application/json") or body.get("multipart/form-data")
        if body:
            fields, required = fields_of(body["schema"])
            nested = {}
            for name, schema in fields.items():
                outer = re.fullmatch(r"(\w+)\[(\w+)\]", name)
                if outer:  # source[privacy] of a form is {"source": {"privacy": ...}} in JSON.
                    nested.setdefault(outer[1], {})[outer[2]] = schema
                    continue
                name = name.removesuffix("[]")
                assert name not in seen, f"{self.name} has two arguments {name}"
                yield Argument(name, schema, name in required, schema.get("description"), "body")
            for name, properties in nested.items():
                yield Argument(name, {"type": "object", "properties": properties}, False, None, "body")

    def summary(self):
        text = self.node["summary"].rstrip(".") + "."
        more = " ".join(str(self.node.get("description", "")).split())
        return f"{text} {more}".strip()


def fields_of(schema):
    schema = resolved(schema)
    fields, required = {}, set(schema.get("required", []))
    for part in schema.get("allOf", []):
        inner, needed = fields_of(part)
        fields.update(inner)
        required |= needed
    fields.update(schema.get("properties", {}))
    return fields, required


def operations():
    for path, node in API["paths"].items():
        for method, operation in node.items():
            if method not in METHODS or not PATHS.match(path) or STREAMS.match(path) or TAGS_LEFT_OUT & set(operation["tags"]):
                continue
            if not SUPERSEDED.search(operation["operationId"]) and "oauth/authorize" not in path:
                yield Operation(method, path, operation)


SCHEMAS = API["components"]["schemas"]
OPERATIONS = list(operations())


def needed_schemas():
    """The schemas that calls and events use, each after the ones that it extends."""
    found, order = set(), []

    def refs(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key == "$ref" and value.startswith("#/components/schemas/"):
                    yield value.rsplit("/", 1)[1]
                elif key != "examples":
                    yield from refs(value)
        elif isinstance(node, list):
            for value in node:
                yield from refs(value)

    def add(name):
        if name in found:
            return
        found.add(name)
        for part in SCHEMAS[name].get("allOf", []):
            for base in refs(part):
                add(base)
        order.append(name)
        for other in refs(SCHEMAS[name]):
            add(other)

    for name in ["Status", "Notification"]:
        add(name)
    for operation in OPERATIONS:
        for schema in [operation.answer] + [a.schema for a in operation.arguments]:
            for name in refs(schema):
                add(name)
    # An alias may come later than its use; a base must not.
    return sorted(order, key=lambda n: (depth(n), n))


def depth(name):
    parts = SCHEMAS[name].get("allOf", [])
    return 1 + max((depth(p["$ref"].rsplit("/", 1)[1]) for p in parts if "$ref" in p), default=0)


def comment(text, indent):
    lines = textwrap.wrap(" ".join(str(text).split()).replace("*/", "* /"), 116 - len(indent))
    if not lines:
        return ""
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


# --- TypeScript -----------------------------------------------------------------------------------------------------


def ts_type(schema, indent=""):
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "const" in schema:
        return "null" if schema["const"] is None else _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(_literal(v) for v in schema["enum"])
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(ts_type(s, indent) for s in schema[union]))
    if "allOf" in schema and not schema.get("properties"):
        return " & ".join(ts_type(s, indent) for s in schema["allOf"])
    if schema.get("format") == "binary" or "contentMediaType" in schema or "contentEncoding" in schema:
        return "Blob"
    types = schema.get("type", "unknown")
    types = types if isinstance(types, list) else [types]
    return " | ".join(dict.fromkeys(_ts_plain(t, schema, indent) for t in types))


def _literal(value):
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def _ts_plain(kind, schema, indent):
    if kind == "array":
        item = ts_type(schema.get("items") or {}, indent)
        return f"({item})[]" if " " in item and not item.startswith("{") else f"{item}[]"
    if kind == "object":
        if schema.get("properties"):
            return "{\n" + ts_fields(schema, indent + "  ") + indent + "}"
        values = schema.get("additionalProperties")
        return f"Record<string, {ts_type(values, indent) if isinstance(values, dict) and values else 'unknown'}>"
    return {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}.get(kind, "unknown")


def ts_fields(schema, indent):
    required = set(schema.get("required", []))
    out = ""
    for name, value in schema.get("properties", {}).items():
        name = name.removesuffix("[]")
        spelled = name if re.fullmatch(r"\w+", name) else f'"{name}"'
        out += comment(value.get("description", ""), indent)
        out += f"{indent}{spelled}{'' if name in required else '?'}: {ts_type(value, indent)};\n"
    return out


def typescript_types():
    out = f"// {HEADER}\n"
    for name in needed_schemas():
        schema = SCHEMAS[name]
        out += "\n" + comment(schema.get("description", ""), "")
        bases = [ts_type(s) for s in schema.get("allOf", [])]
        if schema.get("type") == "object" and schema.get("properties") or bases:
            needs = set(schema.get("required", [])) - set(schema.get("properties", {}))
            if bases and needs:  # fields of the base that are always there here
                picked = " | ".join(f'"{n}"' for n in sorted(needs))
                bases = [f"{bases[0]} & Required<Pick<{bases[0]}, {picked}>>"] + bases[1:]
                inner = "{\n" + ts_fields(schema, "  ") + "}"
                out += f"export type {name} = {' & '.join(bases)} & {inner};\n"
            else:
                extends = f" extends {', '.join(bases)}" if bases else ""
                out += f"export interface {name}{extends} {{\n{ts_fields(schema, '  ')}}}\n"
        else:
            out += f"export type {name} = {ts_type(schema)};\n"
    return out


MARK = 0xAE  # of those above ASCII, the first one


def packed(text):
    """Replaces the most frequent words by marks.

    Returns the packed text, and the replaced words in reverse order. http.ts unpacks both. A word follows its mark when
    that is ASCII; the marks of the others count up from MARK.
    """
    words = []
    ascii_marks = sorted(set(map(chr, range(0x21, 0x7F))) - set(text) - set("`$\\"))
    for mark in ascii_marks + [chr(code) for code in range(MARK, MARK + 200)]:
        bytes_of_mark = len(mark.encode())
        counts = {}
        for size in range(2, 25):
            for at in range(len(text) - size + 1):
                word = text[at : at + size]
                counts[word] = counts.get(word, 0) + 1

        def gain(word):
            size = len(word.encode())
            return counts[word] * (size - bytes_of_mark) - size - (1 if bytes_of_mark > 1 else 2)

        best = max(counts, key=lambda word: (gain(word), word))
        if gain(best) <= 0:
            break
        text = text.replace(best, mark)
        words.append(best if bytes_of_mark > 1 else mark + best)
    return text, words[::-1]


def typescript_operations(admin):
    """The table and the types of the operations of moderators, or of all others. Few programs need the former."""
    used, table, methods = set(), [], ""
    for op in OPERATIONS:
        if op.is_admin() != admin:
            continue
        path = op.path.removeprefix("/api/v1/")
        table.append(f"{op.name},{op.method.upper()},{op.flags()},{path}")
        fields = ""
        for a in op.arguments:
            fields += comment(a.description, "    ")
            fields += f"    {a.name}{'' if a.required else '?'}: {ts_type(a.schema, '    ')};\n"
        needs = any(a.required for a in op.arguments)
        arguments = f"args{'' if needs else '?'}: {{\n{fields}  }}, " if fields else "args?: Record<string, never>, "
        if op.kind == "b":
            answer = "Promise<Uint8Array>"
        elif op.kind == "t":
            answer = "Promise<string>"
        elif op.paged and resolved(op.answer).get("type") == "array":
            answer = f"Pages<{ts_type(resolved(op.answer)['items'])}>"
        else:
            answer = f"Promise<{ts_type(op.answer, '  ')}>"
        methods += comment(f"{op.summary()} `{op.method.upper()} {op.path}`", "  ")
        methods += f"  {op.name}({arguments}options?: CallOptions): {answer};\n"
        used |= set(re.findall(r"\b[A-Z]\w+", re.sub(r"/\*\*.*?\*/|\"[^\"]*\"", "", fields + answer, flags=re.S)))
    names = sorted(n for n in used if n in SCHEMAS)
    out = f"// {HEADER}\nimport type {{ CallOptions, Pages }} from './http.js';\nimport type {{ {', '.join(names)} }} from './types.js';\n\n"
    note = "// Each operation is its name, its method, its flags (as in operations.py), and its path, behind /api/v1/ unless it has a slash.\n"
    if admin:
        out += note + f'export const TABLE =\n  "{" ".join(table)}";\n\n'
        return out + "/** The calls of moderators, by their operationIds in openapi.yaml. */\nexport interface AdminOperations {\n" + methods + "}\n"
    text, words = packed(" ".join(table))
    out += note
    above = max(0, max(map(ord, text + "".join(words))) - MARK + 1)
    out += "// Marks stand for words, in the table and in the words after them: the first MARKS words have marks above ASCII, the others follow theirs.\n"
    out += f"export const TABLE = `{text}`;\nexport const MARKS = {above};\nexport const WORDS = `{chr(10).join(words)}`;\n\n"
    return out + "/** The calls of the API, by their operationIds in openapi.yaml. */\nexport interface Operations {\n" + methods + "}\n"


# --- Python ---------------------------------------------------------------------------------------------------------

EXTRA = []  # classes of inline objects


def py_type(schema, hint):
    """A type in quotes-free notation that Python 3.9 can evaluate; hint names the class of an inline object."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "const" in schema:
        return "None" if schema["const"] is None else f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return "Literal[" + ", ".join(repr(v) for v in schema["enum"]) + "]"
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return _union([py_type(s, hint) for s in schema[union]])
    if "allOf" in schema and not schema.get("properties"):
        return py_type(schema["allOf"][0], hint)
    if schema.get("format") == "binary" or "contentMediaType" in schema or "contentEncoding" in schema:
        return "Upload"
    types = schema.get("type", "object")
    return _union([_py_plain(t, schema, hint) for t in (types if isinstance(types, list) else [types])])


def _union(parts):
    parts = list(dict.fromkeys(parts))
    if len(parts) == 1:
        return parts[0]
    rest = [p for p in parts if p != "None"]
    inner = rest[0] if len(rest) == 1 else f"Union[{', '.join(rest)}]"
    return f"Optional[{inner}]" if len(rest) < len(parts) else inner


def _py_plain(kind, schema, hint):
    if kind == "array":
        return f"List[{py_type(schema.get('items') or {'type': 'any'}, hint)}]"
    if kind == "object":
        if schema.get("properties"):
            EXTRA.append(py_class(hint, schema))
            return hint
        values = schema.get("additionalProperties")
        return f"Dict[str, {py_type(values, hint + 'Value') if isinstance(values, dict) and values else 'Any'}]"
    return {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}.get(kind, "Any")


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"\W|_", name))


def py_class(name, schema):
    required = set(schema.get("required", []))
    bases = [s["$ref"].rsplit("/", 1)[1] for s in schema.get("allOf", [])]
    # A TypedDict cannot narrow a field of its base.
    inherited = {field for part in schema.get("allOf", []) for field in fields_of(part)[0]}
    own = {k.removesuffix("[]"): v for k, v in schema.get("properties", {}).items() if k not in inherited}
    fields = {k: py_type(v, name + camel(k)) for k, v in own.items()}
    doc = " ".join(str(schema.get("description", "")).split())
    body = f'    """{doc}"""\n\n' if doc else ""
    if any(not k.isidentifier() or keyword.iskeyword(k) for k in fields):
        items = ", ".join(f"{k!r}: {v!r}" for k, v in fields.items())
        return f"{name} = TypedDict({name!r}, {{{items}}}, total=False)\n"
    always = {k: v for k, v in fields.items() if k in required}
    sometimes = {k: v for k, v in fields.items() if k not in required}
    out = ""
    if always and sometimes:
        out = f"class _{name}({', '.join(bases) or 'TypedDict'}):\n" + "".join(f"    {k}: {v}\n" for k, v in always.items()) + "\n\n"
        bases, always = [f"_{name}"], {}
    total = ", total=False" if sometimes else ""
    lines = "".join(f"    {k}: {v}\n" for k, v in (sometimes or always).items())
    return out + f"class {name}({', '.join(bases) or 'TypedDict'}{total}):\n{body}{lines or '    pass' + chr(10)}"


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def python_types():
    out = f'"""The shapes of answers and arguments.\n\n{HEADER}\n"""\n\n'
    out += "from __future__ import annotations\n\nimport os\nfrom typing import Any, BinaryIO, Dict, List, Literal, Optional, TypedDict, Union\n\n"
    out += "Upload = Union[bytes, str, os.PathLike, BinaryIO]\n"
    for name in needed_schemas():
        schema = SCHEMAS[name]
        EXTRA.clear()
        if schema.get("allOf") or schema.get("type") == "object" and schema.get("properties"):
            text = py_class(name, schema)
        else:
            alias = py_type(schema, name + "Item")
            forward = any(w in SCHEMAS for w in re.findall(r"\w+", alias))
            text = f"{name} = {_quoted(alias) if forward else alias}\n"
        out += "".join("\n\n" + extra for extra in EXTRA) + "\n\n" + text
    return out


def _quoted(alias):
    return re.sub(r"\b[A-Z]\w+\b", lambda m: f'"{m[0]}"' if m[0] in SCHEMAS else m[0], alias)


def python_signature(op):
    positional = [a for a in op.arguments if a.place == "path"]
    named = sorted((a for a in op.arguments if a.place != "path"), key=lambda a: not a.required)
    parts = [f"{py_name(a.name)}: {py_argument(op, a)}" for a in positional]
    options = [f"{py_name(a.name)}: {py_argument(op, a)}" if a.required else f"{py_name(a.name)}: Optional[{py_argument(op, a)}] = None" for a in named]
    if op.keyed:
        options.append("idempotency_key: Optional[str] = None")
    return ", ".join(["self"] + parts + (["*"] + options if options else []))


def py_argument(op, argument):
    kind = py_type(argument.schema, camel(op.name) + camel(argument.name))
    return kind[len("Optional[") : -1] if kind.startswith("Optional[") and not argument.required else kind


def py_name(name):
    return name + "_" if keyword.iskeyword(name) else name


def python_operations():
    calls, table, used = {"": "", "Async": ""}, "", set()
    EXTRA.clear()
    extra = []
    for op in OPERATIONS:
        table += f"    {op.name!r}: ({op.method.upper()!r}, {op.path!r}, {op.flags()!r}),\n"
        signature = python_signature(op)
        if op.kind != "j":
            answer = {"b": "bytes", "t": "str"}[op.kind]
        elif op.paged and resolved(op.answer).get("type") == "array":
            answer = f"Page[{py_type(resolved(op.answer)['items'], camel(op.name) + 'Entry')}]"
        else:
            answer = py_type(op.answer, camel(op.name) + "Answer")
        extra += [e for e in EXTRA if e not in extra]
        EXTRA.clear()
        values = ", ".join(f"{a.name!r}: {py_name(a.name)}" for a in op.arguments)
        key = ", idempotency_key" if op.keyed else ""
        lines = textwrap.wrap(f"{op.summary()} ``{op.method.upper()} {op.path}``".replace("\\", "\\\\"), 108)
        doc = "\n        ".join(lines)
        for kind in calls:
            returned = "Async" + answer if kind and answer.startswith("Page[") else answer
            calls[kind] += f"\n    {'async ' if kind else ''}def {snake(op.name)}({signature}) -> {returned}:\n"
            calls[kind] += f'        """{doc}"""\n' if len(lines) == 1 else f'        """{doc}\n        """\n'
            calls[kind] += f"        return {'await ' if kind else ''}self._call({op.name!r}, {{{values}}}{key})\n"
        used |= set(re.findall(r"\b[A-Z]\w+", " ".join([signature, answer, *extra])))
    names = sorted(n for n in used if n in SCHEMAS or n == "Upload")
    out = f'"""The calls of the API, by their operationIds in openapi.yaml.\n\n{HEADER}\n"""\n\n'
    out += "from __future__ import annotations\n\nfrom typing import Any, Dict, List, Literal, Optional, TypedDict, Union\n\n"
    out += "from .page import AsyncPage, Page\nfrom .types import (\n" + "".join(f"    {n},\n" for n in names) + ")\n"
    out += "\n# Method, path and flags: k takes an Idempotency-Key, s may be repeated, l is a page, b answers bytes, t text.\nOPERATIONS = {\n" + table + "}\n"
    out += "".join("\n\n" + e for e in extra)
    for kind, text in calls.items():
        out += f'\n\nclass {kind}Calls:\n    """One method for each operation."""\n\n'
        signature = "self, name: str, values: Dict[str, Any], idempotency_key: Optional[str] = None"
        out += f"    {'async ' if kind else ''}def _call({signature}) -> Any:\n        raise NotImplementedError\n" + text
    return out


def main():
    files = {
        "typescript/src/types.ts": typescript_types(),
        "typescript/src/operations.ts": typescript_operations(admin=False),
        "typescript/src/admin-operations.ts": typescript_operations(admin=True),
        "python/src/fanfare_client/types.py": python_types(),
        "python/src/fanfare_client/operations.py": python_operations(),
    }
    differ = []
    for name, text in files.items():
        path = ROOT / "clients" / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        differ.append(name)
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if differ and "--check" in sys.argv:
        sys.exit(f"generate: {', '.join(differ)} differ from openapi.yaml: run clients/generate.py and commit what it writes.")
    print(f"generate: {len(OPERATIONS)} calls and {len(needed_schemas())} types in {len(files)} files; {len(differ)} {'differ' if '--check' in sys.argv else 'written'}")


if __name__ == "__main__":
    main()
