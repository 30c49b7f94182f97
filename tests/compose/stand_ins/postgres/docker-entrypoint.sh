#!/bin/bash
# As much of the official image's entrypoint as docker-compose.yml uses, for a user that is not root.
set -e
: "${POSTGRES_USER:=postgres}" "${POSTGRES_DB:=$POSTGRES_USER}"
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  [ -z "$POSTGRES_PASSWORD_FILE" ] || POSTGRES_PASSWORD=$(<"$POSTGRES_PASSWORD_FILE")
  [ -n "$POSTGRES_PASSWORD" ] || { echo "Error: Database is uninitialized and superuser password is not specified." >&2; exit 1; }
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  # shellcheck disable=SC2086 - as the official image splits it
  initdb -U "$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") --auth-local=trust -E UTF8 --locale=C.UTF-8 $POSTGRES_INITDB_ARGS
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  pg_ctl -w -o "-c listen_addresses='' -c unix_socket_directories=/var/run/postgresql" start
  export PGHOST=/var/run/postgresql POSTGRES_USER POSTGRES_DB
  [ "$POSTGRES_DB" = postgres ] || createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  for file in /docker-entrypoint-initdb.d/*.sh; do [ ! -x "$file" ] || "$file"; done
  pg_ctl -m fast -w stop
fi
unset PGHOST
exec "$@" -c "listen_addresses=*" -c unix_socket_directories=/var/run/postgresql,/tmp
