"""Web processes load neither scipy nor statsmodels, which only workers and the command line need."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
# as a web server does; then what a view imports only when it is asked
LOAD = """
import json, sys
import django
django.setup()
import config.wsgi
from django.urls import URLPattern, URLResolver, get_resolver

def views(resolver):
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from views(one)
        else:
            assert isinstance(one, URLPattern)
            yield one.callback

count = len(list(views(get_resolver())))
from config.celery import app
app.loader.import_default_modules()
import exports.archive
print(json.dumps({"views": count, "modules": sorted(sys.modules)}))
"""


def test_no_web_process_loads_scipy_or_statsmodels() -> None:
    path = os.pathsep.join([str(ROOT / "backend"), str(ROOT / "pipeline")])
    process = subprocess.run(
        [sys.executable, "-c", LOAD],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = json.loads(process.stdout)
    assert loaded["views"] > 40
    assert {"analysis.api", "analysis.showing.figures", "analysis.tasks", "conformance.api", "exports.archive"} <= {
        *loaded["modules"]
    }
    assert [name for name in loaded["modules"] if name in ("scipy", "statsmodels")] == []
