#!/usr/bin/env python3
"""Counts the test cases of meson's JUnit logs and prints one line of them.

A program that crashed or timed out has no cases of its own to tell of: it counts as
one failure. Exits with 1 if anything failed or nothing ran.
"""
import sys
import xml.etree.ElementTree as ElementTree


def count(path):
    passed = failed = skipped = 0
    for suite in ElementTree.parse(path).getroot().iter('testsuite'):
        bad = 0
        for case in suite.iter('testcase'):
            if case.find('failure') is not None or case.find('error') is not None:
                bad += 1
            elif case.find('skipped') is not None:
                skipped += 1
            else:
                passed += 1
        claimed = int(suite.get('failures', 0)) + int(suite.get('errors', 0))
        failed += max(bad, claimed)
    return passed, failed, skipped


totals = [sum(column) for column in zip(*(count(path) for path in sys.argv[1:]))]
passed, failed, skipped = totals
print(f'{passed} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
sys.exit(1 if failed or not passed else 0)
