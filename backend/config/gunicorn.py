"""Settings of gunicorn: `gunicorn --config python:config.gunicorn config.wsgi:application --bind ADDRESS`."""

worker_class = "config.buffered_worker.BufferedWorker"
workers = 2
threads = 8
# loaded once, before the workers are forked
preload_app = True
timeout = 120
# less than the supervisor's timeout
graceful_timeout = 15
# no access log, which would store participants' addresses; a warning about a malformed request would contain one
loglevel = "error"
