"""Settings of gunicorn: `gunicorn --config python:config.gunicorn config.wsgi:application --bind ADDRESS`."""

worker_class = "config.buffered_worker.BufferedWorker"
workers = 2
threads = 8
# loaded once, before the workers are forked
preload_app = True
timeout = 120
# less than the supervisor waits
graceful_timeout = 15
# there is no access log, which would keep participants' addresses; a warning of a malformed request would name one
loglevel = "error"
