"""The results that @NAME@ must give: python3 golden.py case.json writes them into the case.

A tensor of the case has type, shape and data, the elements row by row; in MLI a format, too: frac, or zero points and
scales. docs/formats.md of the simulator describes all fields.
"""
import json
import sys

RESULTS = @RESULTS@


def golden(case):
    """Returns the elements of every result, by its name.

    To begin with, these are the results of @LIKE@, which the case has. Compute them from the inputs instead, for
    example [max(x, 0) for x in case["@INPUT@"]["data"]].
    """
    return {name: case[name]["data"] for name in RESULTS}


def main(path):
    with open(path, encoding="utf-8") as f:
        case = json.load(f)
    for name, data in golden(case).items():
        case[name]["data"] = data
    with open(path, "w", encoding="utf-8") as f:
        json.dump(case, f, separators=(",", ":"))
        f.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
