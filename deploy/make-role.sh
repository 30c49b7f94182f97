#!/bin/sh
# The image of PostgreSQL runs this once, in an empty volume: the platform's role owns its databases and makes more of them
# for restore points, but is no superuser.
set -eu
psql --quiet --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'END'
\set password `cat /run/secrets/database-password`
CREATE ROLE eyelevel LOGIN CREATEDB PASSWORD :'password';
CREATE DATABASE eyelevel OWNER eyelevel;
END
