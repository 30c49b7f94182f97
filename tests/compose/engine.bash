# For checks that build containers, which source it after they set `files` to the compose files that they use. Sets
# COMPOSE to the command with the first file, and `state` to a folder that is gone at the end, as all containers are.
# Where no Docker engine answers, a private one with stand-in images is started from the folder in EYELEVEL_SHARED (needs root).
# EYELEVEL_CHECK_ENGINE names a folder in which that engine stays, so that the next run builds little.
state=$(mktemp -d)
engine=${EYELEVEL_CHECK_ENGINE:-$state}
shared=${EYELEVEL_SHARED:-../shared}

finish() {
  status=$?
  [ $status = 0 ] || $COMPOSE logs --tail 40 2>/dev/null || true
  ${all:-$COMPOSE} down --volumes --timeout 5 >/dev/null 2>&1 || true
  if [ "$engine" = "$state" ] && [ -f "$state/d.pid" ]; then
    process=$(cat "$state/d.pid")
    kill "$process"
    while kill -0 "$process" 2>/dev/null; do sleep 0.2; done
  fi
  rm -rf "$state"
  exit $status
}
COMPOSE=false
trap finish EXIT

export DOCKER_BUILDKIT=1 COMPOSE_DOCKER_CLI_BUILD=1
files=("${files[@]/#/$PWD/}")
if [ -S "$engine/d.sock" ] || ! docker info >/dev/null 2>&1; then
  [ -x "$shared/docker/engine.sh" ] || { echo "No Docker engine answers, and $shared/docker has no stand-in; set EYELEVEL_SHARED." >&2; exit 5; }
  # the engine and its client come from the same package; make_bases.sh copies the first Python of the PATH before
  own_path=$PATH
  export PATH=/usr/bin:$PATH DOCKER_HOST=unix://$engine/d.sock
  if ! docker info >/dev/null 2>&1; then
    echo "No Docker engine answers: starting a private one with stand-in images (about two minutes)"
    bash "$shared/docker/engine.sh" "$engine"
  fi
  [ -n "$(docker image ls -q caddy:2)" ] || { PATH=$own_path bash "$shared/docker/make_bases.sh" "$engine"; tests/compose/stand_ins/make; }
  # a stand-in has no digest of a registry
  mkdir "$state/files"
  for file in "${files[@]}"; do sed -E 's/@sha256:[0-9a-f]{64}//' "$file" >"$state/files/${file##*/}"; done
  # a privileged container starts only where the machine has every capability, and some lack this one
  has=0x$(awk '/^CapBnd/ {print $2}' /proc/self/status)
  (((has >> 24) & 1)) || sed -E -i \
    's/^( *)privileged: true/\1cap_add: [ALL]\n\1cap_drop: [SYS_RESOURCE]\n\1security_opt: ["seccomp:unconfined", "apparmor:unconfined"]/' \
    "$state"/files/*.yml
  files=("${files[@]/#*\//$state/files/}")
fi

COMPOSE="docker compose"
$COMPOSE version >/dev/null 2>&1 || COMPOSE=docker-compose
COMPOSE="$COMPOSE --project-directory $PWD -f ${files[0]}"
export COMPOSE
