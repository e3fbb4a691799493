#!/usr/bin/env bash
# Installs the board's program, its user and its service on Raspberry Pi OS or Debian, and takes them away again.
# README.md beside this file tells how to use it; what the service may do stands in setmatch.service, not here.
set -Eeuo pipefail
umask 022
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PYTHONNOUSERSITE=1
# Whoever calls may have a Python environment of their own; ours is the system's.
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV

# It may be called by a link.
SOURCE=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
readonly SOURCE
readonly HOME_DIR=/opt/setmatch CONFIG_DIR=/etc/setmatch STATE_DIR=/var/lib/setmatch ACCOUNT=setmatch
readonly CONFIG=$CONFIG_DIR/setmatch.toml LINK=/usr/local/bin/setmatch UNIT=setmatch.service
readonly BOOT_CONFIG=/boot/firmware/config.txt LOCK=/run/setmatch-install.lock
# Debian's first number of a person; below it are the system's own users.
readonly FIRST_LOGIN=1000
# python3-picamera2 is built for this interpreter, so no other will do.
readonly PYTHON=/usr/bin/python3
# A version takes 190 MB, and the former one is kept; packages take 200 MB, and what apt and pip fetch as much again.
readonly NEEDED_MB=1200
# numpy from the system: picamera2's simplejpeg is built against it. See check_numpy.
readonly PACKAGES=(python3-venv python3-numpy python3-pil espeak-ng alsa-utils i2c-tools polkitd systemd udev)
# Only Raspberry Pi's own archive has all of these.
readonly PI_PACKAGES=(python3-picamera2 python3-lgpio python3-spidev)
# What stands in systemd/ and where it goes.
readonly SYSTEM_FILES=(
  "setmatch.service /etc/systemd/system/setmatch.service"
  "setmatch.sysusers.conf /etc/sysusers.d/setmatch.conf"
  "setmatch.tmpfiles.conf /etc/tmpfiles.d/setmatch.conf"
  "setmatch.modules-load.conf /etc/modules-load.d/setmatch.conf"
  "70-setmatch.rules /etc/udev/rules.d/70-setmatch.rules"
  "50-setmatch.rules /etc/polkit-1/rules.d/50-setmatch.rules"
)

action=install
dry_run=no
start=yes
wheels=
codename=
restart_needed=no
checked=no
building=
doing="looking at the system"

usage() {
  cat <<'TEXT'
Usage: sudo bash systemd/install.sh [OPTION]

Without an option to take away: installs, or brings an installation up to what this folder holds. Players'
matches and the configuration stay as they are.

  --dry-run      print each step, change nothing
  --no-start     do not start the service now; it starts with the computer
  --wheels DIR   take Python packages from this folder instead of the network
  --rollback     go back to the version that was installed before
  --uninstall    take everything away but matches, configuration and the user
  --purge        take those away, too
  --help         print this
TEXT
}

say() { printf '%s\n' "$*"; }
step() { printf '* %s\n' "$*"; }
warn() { printf 'install.sh: %s\n' "$*" >&2; }
die() {
  warn "$*"
  exit 1
}

# Runs a command that changes something, or prints it.
change() {
  if [[ $dry_run == yes ]]; then
    printf '    %s\n' "${*@Q}"
  else
    doing="$*"
    "$@"
  fi
}

# Lays a file of `mode` at a path in one step, if it is not there already with this content (standard input).
# In a folder of somebody else's it is written as that account: root would follow a link that is laid there.
put() {
  local path=$1 mode=$2 account=${3:-root} as=() text
  # The dot keeps the line ends that a substitution would drop.
  text=$(cat; printf .)
  text=${text%.}
  ! cmp -s "$path" <(printf %s "$text") || return 0
  if [[ $dry_run == yes ]]; then
    printf '    write %s\n' "$path"
    return
  fi
  mkdir -p "$(dirname "$path")"
  [[ $account == root ]] || as=(runuser -u "$account" --)
  "${as[@]}" rm -rf "$path.new"
  printf %s "$text" | "${as[@]}" tee "$path.new" >/dev/null
  # The boot partition is FAT, which knows no modes.
  "${as[@]}" chmod "$mode" "$path.new" 2>/dev/null || true
  "${as[@]}" sync "$path.new"
  "${as[@]}" mv -fT "$path.new" "$path"
}

read_options() {
  while (($#)); do
    case $1 in
      --dry-run) dry_run=yes ;;
      --no-start) start=no ;;
      --wheels)
        [[ -n ${2:-} ]] || die "--wheels wants a folder; see --help"
        [[ -d $2 ]] || die "$2 is no folder; fill it with 'pip download', as README.md tells, and name it again"
        wheels=$(cd "$2" && pwd -P)
        shift
        ;;
      --rollback | --uninstall | --purge)
        [[ $action == install ]] || die "--$action and $1 exclude each other; give one"
        action=${1#--}
        ;;
      --help)
        usage
        exit 0
        ;;
      *) die "there is no option '$1'; see --help" ;;
    esac
    shift
  done
}

check_root() {
  [[ $dry_run == yes || $(id -u) == 0 ]] || die "this changes the system: run it with sudo, or look first with --dry-run"
}

check_system() {
  local bits architecture free
  bits=$(getconf LONG_BIT)
  architecture=$(dpkg --print-architecture 2>/dev/null || uname -m)
  # A 32 bit system may run on a 64 bit kernel, so uname does not tell.
  if [[ $bits != 64 || ($architecture != arm64 && $architecture != amd64) ]]; then
    die "this system is $bits bit ($architecture), and the libraries exist for 64 bit ARM and x86 only:" \
      "write Raspberry Pi OS (64-bit) on the card"
  fi
  codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  [[ -f $SOURCE/systemd/constraints-$codename.txt ]] ||
    die "this system is '${codename:-unknown}': install Raspberry Pi OS or Debian 12 (bookworm) or 13 (trixie)"
  free=$(df --output=avail --block-size=1M /opt | tail -n 1)
  ((free >= NEEDED_MB)) || die "$((free)) MB are free and $NEEDED_MB are needed: make room, or take a larger card"
}

# Whether somebody logs in by the name that the service's user has.
name_is_a_login() {
  local uid shell
  IFS=: read -r _ _ uid _ _ _ shell < <(getent passwd "$ACCOUNT" || true) || return 1
  ((uid >= FIRST_LOGIN)) || [[ ${shell##*/} != @(nologin|false) ]]
}

# Whether the service's user is as setmatch.sysusers.conf makes it.
account_is_ours() {
  ! name_is_a_login && [[ $(getent passwd "$ACCOUNT" || true) == *":$STATE_DIR:"* ]]
}

check_account() {
  ! name_is_a_login ||
    die "'$ACCOUNT' is somebody's login here ($(getent passwd "$ACCOUNT" | cut -d: -f3,7)), and the service has a user" \
      "of that name which nobody logs in as: give the login another name, as README.md beside this file tells, or" \
      "write the card anew with another one; then run this again"
}

installed() { dpkg-query --show --showformat='${Status}' "$1" 2>/dev/null | grep -q ' installed$'; }
available() { [[ -n $(apt-cache --quiet=0 show --no-all-versions "$1" 2>/dev/null) ]]; }
has_systemd() { [[ -d /run/systemd/system ]]; }

# Packages as a run may have left them that was cut off: half unpacked, or without others that they need. `$@`: of apt.
mend_packages() {
  local spoilt
  # dpkg sets none of these up before it is unpacked anew (dpkg(1), reinst-required), and apt does so when told only.
  mapfile -t spoilt < <(dpkg-query --show --showformat='${db:Status-Eflag} ${binary:Package}\n' | sed -n 's/^reinstreq //p')
  if ((${#spoilt[@]})); then
    change apt-get install "$@" --fix-broken --reinstall "${spoilt[@]}"
  else
    change dpkg --configure -a || change apt-get install "$@" --fix-broken
  fi
}

install_packages() {
  local package missing=() wanted=() absent=() quietly=(-y -qq --no-install-recommends -o DPkg::Lock::Timeout=300)
  step "Packages of the system"
  for package in "${PACKAGES[@]}"; do installed "$package" || missing+=("$package"); done
  for package in "${PI_PACKAGES[@]}"; do installed "$package" || wanted+=("$package"); done
  if ((${#missing[@]} + ${#wanted[@]})); then
    # Without a network the lists that are there may do.
    change apt-get update -qq || warn "the lists of packages could not be renewed; going on with those that are there"
    mend_packages "${quietly[@]}" ||
      die "packages that were half installed could not be mended: see what apt says above, and run this again"
  fi
  for package in "${wanted[@]}"; do
    if available "$package"; then missing+=("$package"); else absent+=("$package"); fi
  done
  if ((${#missing[@]})); then
    change apt-get install "${quietly[@]}" "${missing[@]}" ||
      die "apt could not install ${missing[*]}: see what it says above, look at the network, and run this again"
  fi
  if ((${#absent[@]})); then
    say "  This system does not have ${absent[*]}."
    [[ " ${absent[*]} " != *" python3-picamera2 "* ]] || say "  The Pi's own camera will not be driven; a USB camera will."
  fi
}

check_python() {
  [[ $dry_run == no || -x $PYTHON ]] || return 0
  "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    die "$PYTHON is older than 3.11: bring the system up to date with 'apt full-upgrade'"
}

version_of() { "$PYTHON" -c 'import sys; from importlib.metadata import version; print(version(sys.argv[1]))' "$1"; }

# Versions to keep to: the system's list, and what the system really has where that was renewed since.
write_constraints() {
  local line name
  while IFS= read -r line; do
    name=${line%%==*}
    case $name in
      numpy | pillow) printf '%s==%s\n' "$name" "$(version_of "$name")" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done <"$SOURCE/systemd/constraints-$codename.txt" >"$1"
}

# Fills a new folder beside the running one; whatever stops it leaves that one alone.
build_release() {
  local release=$1 tree=$1/tree source_of_wheels=() extras=
  step "The program, into $release"
  change mkdir -p "$tree"
  building=$release
  change cp -R "$SOURCE"/{calibration,firmware,hardware,systemd,pyproject.toml,README.md,CHANGELOG.md,LICENSE} "$tree"
  change find "$tree" -name __pycache__ -prune -exec rm -r {} +
  change chmod -R u+rwX,go+rX,go-w "$tree"
  change chown -R root:root "$tree"
  change "$PYTHON" -m venv --system-site-packages "$release/venv"
  if [[ $dry_run == no ]]; then write_constraints "$release/constraints.txt"; fi
  [[ -z $wheels ]] || source_of_wheels=(--no-index --find-links "$wheels")
  # spidev has no wheels; where the system has it, only what reads pins beside it is missing.
  if [[ $(dpkg --print-architecture) == arm64 ]] && installed python3-spidev; then extras='[spi]'; fi
  change "$release/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
    "${source_of_wheels[@]}" --constraint "$release/constraints.txt" "$tree$extras" ||
    die "pip could not install the program: see what it says above, look at the network${wheels:+ or at what README.md}" \
      "${wheels:+says of --wheels }and run this again; what was installed before is untouched"
  change rm -rf "$tree/build" "$tree"/*.egg-info
  if [[ $dry_run == no ]]; then
    check_numpy "$release/venv/bin/python"
    "$release/venv/bin/setmatch" --version ||
      die "the new version does not answer to --version; what was installed before is untouched"
  fi
}

check_numpy() {
  local place
  place=$("$1" -I -c 'import numpy; print(numpy.__file__)')
  [[ $place == /usr/lib/python3/* ]] ||
    die "numpy is taken from $place and not from the system's packages, so the Pi's camera would fail:" \
      "uninstall that one (pip uninstall numpy) and run this again"
  if installed python3-picamera2 && ! "$1" -I -c 'import picamera2' >/dev/null 2>&1; then
    warn "picamera2 is installed but cannot be imported: '$1 -c \"import picamera2\"' tells why"
  fi
}

# Asked to end at the wrong instant, it must not discard what was switched to.
# shellcheck disable=SC2317  # A trap calls it.
discard_unfinished() {
  [[ -z $building || $building == "$HOME_DIR/$(readlink "$HOME_DIR/current" || true)" ]] || rm -rf "$building"
}

# Whether a release takes the configuration that is there; what is wrong is printed.
takes_configuration() {
  [[ $dry_run == no ]] || return 0
  runuser -u "$ACCOUNT" -- "$1/venv/bin/setmatch" run --config "$CONFIG" --check-config >/dev/null
}

# Before anything is switched: the service would end for a mistake in the configuration that it has not read yet.
check_configuration() {
  [[ -e $CONFIG && -e $HOME_DIR/current ]] && getent passwd "$ACCOUNT" >/dev/null || return 0
  step "Whether it takes the configuration $CONFIG"
  checked=yes
  takes_configuration "$1" ||
    die "that version would not play by $CONFIG: mend what is said above in it, and run this again; the version in" \
      "use is untouched, and if it plays, it plays on"
}

# Points a link elsewhere in one step: at any instant it leads to a whole version.
point() {
  change ln -sfn "$2" "$1.new"
  change mv -fT "$1.new" "$1"
}

switch_to() {
  local former
  former=$(readlink "$HOME_DIR/current" || true)
  step "Switching to it"
  [[ -z $former || $former == "$1" ]] || point "$HOME_DIR/former" "$former"
  point "$HOME_DIR/current" "$1"
  point "$HOME_DIR/venv" current/venv
  if [[ -e $LINK && ! -L $LINK ]]; then
    warn "$LINK is a file of somebody else's and stays; the program is $HOME_DIR/venv/bin/setmatch"
  else
    change mkdir -p "$(dirname "$LINK")"
    point "$LINK" "$HOME_DIR/venv/bin/setmatch"
  fi
}

# Whether a program runs from a release, as the service does from an older one after --no-start: it was called by a
# file there or has one mapped, as Python has its libraries. grep is given the name by a pipe, so as not to find itself.
in_use() {
  [[ $SOURCE/ != "$1"/* ]] || return 0
  grep -qsF -f <(say "$1/") -- /proc/[0-9]*/{cmdline,maps}
}

# What a run that was cut off left, and versions before the former one.
remove_old_releases() {
  local release current former
  current=$(readlink "$HOME_DIR/current" || true)
  former=$(readlink "$HOME_DIR/former" || true)
  for release in "$HOME_DIR"/releases/*; do
    [[ -d $release && releases/${release##*/} != "$current" && releases/${release##*/} != "$former" ]] || continue
    in_use "$release" || change rm -rf "$release"
  done
}

# A computer within another has none.
tell_udev() {
  [[ -e /run/udev/control ]] || return 0
  change udevadm control --reload
  change udevadm trigger
}

# systemd-tmpfiles gives them back, by the line for that in our file: it follows no link that was laid there.
tell_of_roots_files() {
  local path paths=()
  while IFS= read -r -d '' path; do
    paths+=("$path")
  done < <(find "$STATE_DIR" -xdev -mindepth 1 -user root -print0 2>/dev/null || true)
  ((${#paths[@]})) || return 0
  say "  ${#paths[@]} of root's in $STATE_DIR, such as ${paths[0]@Q}, are given back to $ACCOUNT, who could not" \
    "write to them: what is to be done there is done with 'sudo -u $ACCOUNT'."
}

install_system_files() {
  local entry module
  step "User, groups, folders, devices, service"
  for entry in "${SYSTEM_FILES[@]}"; do
    # polkit keeps its folder to itself; it is there, since its package is.
    put "${entry#* }" 644 <"$1/systemd/${entry%% *}"
  done
  change systemd-sysusers /etc/sysusers.d/setmatch.conf
  tell_of_roots_files
  change systemd-tmpfiles --create /etc/tmpfiles.d/setmatch.conf
  has_systemd || return 0
  tell_udev
  while read -r module; do
    [[ -z $module || $module == "#"* ]] || change modprobe --quiet "$module" || true
  done <"$1/systemd/setmatch.modules-load.conf"
}

install_configuration() {
  local camera=pi
  if [[ -e $CONFIG ]]; then
    step "The configuration $CONFIG stays as it is"
    return
  fi
  installed python3-picamera2 || camera=usb:0
  step "A configuration, $CONFIG, with the camera '$camera'"
  {
    say "# Made by install.sh from the example; yours from now on, an update leaves it alone."
    sed -E -e "s|^source = \"[^\"]*\"( *#)|source = \"$camera\"\1|" \
      -e "s|^# directory = \"[^\"]*\".*|directory = \"$STATE_DIR\"  # journal, calibration, reviews, voice|" \
      "$SOURCE/firmware/setmatch.example.toml"
  } | put "$CONFIG" 644 "$ACCOUNT"
}

# The computer's configuration without our lines, which stand between two marks; the last line is ended. Where
# somebody has taken the second mark away, nobody knows how far ours go: only the first mark goes then.
others_boot_lines() {
  awk '
    /^# setmatch: begin/ { printf "%s", held; held = ""; inside = 1; next }
    inside && /^# setmatch: end/ { held = ""; inside = 0; next }
    inside { held = held $0 "\n"; next }
    { print }
    END { printf "%s", held }
  ' "$BOOT_CONFIG"
}

boot_lines() {
  others_boot_lines
  say "# setmatch: begin"
  say "[all]"
  say "dtparam=i2c_arm=on"
  # Who has set a speed has a reason, such as long wires.
  others_boot_lines | grep -Eq '^[^#]*i2c(_arm|1)?_baudrate=' || say "dtparam=i2c_arm_baudrate=400000"
  say "dtparam=spi=on"
  say "# setmatch: end"
}

switch_buses_on() {
  if [[ ! -f $BOOT_CONFIG ]]; then
    step "No $BOOT_CONFIG, so this is no Raspberry Pi: I2C and SPI are left alone"
    return
  fi
  step "I2C at 400 kHz and SPI, in $BOOT_CONFIG"
  write_boot_config "$(boot_lines)"
}

write_boot_config() {
  local backup
  cmp -s "$BOOT_CONFIG" <(say "$1") && return
  backup=$BOOT_CONFIG.$(date -u +%Y%m%dT%H%M%SZ)
  change cp "$BOOT_CONFIG" "$backup"
  say "$1" | put "$BOOT_CONFIG" 755
  say "  The former one is $backup."
  restart_needed=yes
}

make_voice() {
  step "The umpire's voice, in $STATE_DIR/voice"
  change runuser -u "$ACCOUNT" -- "$HOME_DIR/venv/bin/setmatch" voice --out "$STATE_DIR/voice" --config "$CONFIG" ||
    warn "the umpire will be silent; later: sudo -u $ACCOUNT setmatch voice --out $STATE_DIR/voice"
}

start_service() {
  local ran=no
  step "The service"
  change systemctl enable --quiet "$UNIT"
  if ! has_systemd; then
    say "  systemd does not run here, so nothing is started."
    return
  fi
  systemctl is-active --quiet "$UNIT" && ran=yes
  change systemctl daemon-reload
  [[ $start == yes ]] || return 0
  # One that fell over too often of late is not started, whatever has been mended since.
  change systemctl reset-failed "$UNIT" 2>/dev/null || true
  change systemctl restart "$UNIT" && return
  # One that never ran lacks a camera, perhaps; one that ran before did so with the former version.
  if [[ $action == install && $ran == yes && -e $HOME_DIR/former/venv ]]; then
    roll_back
    die "the new version does not start, so the former one was put back; 'journalctl -u setmatch' tells why"
  fi
  warn "the service does not run yet: 'setmatch doctor' and 'journalctl -u setmatch' tell why"
}

roll_back() {
  local current former
  current=$(readlink "$HOME_DIR/current" || true)
  former=$(readlink "$HOME_DIR/former" || true)
  [[ -n $former && $former != "$current" && -d $HOME_DIR/$former ]] ||
    die "there is no former version; install the one you want from its own folder"
  # After a start that failed nothing plays any more that could play on.
  [[ $action == install ]] || check_configuration "$HOME_DIR/$former"
  action=rollback
  switch_to "$former"
  install_system_files "$HOME_DIR/$former/tree"
  start_service
}

take_away() {
  local entry
  step "Stopping the service"
  if has_systemd; then change systemctl disable --now --quiet "$UNIT" 2>/dev/null || true; fi
  change rm -f /etc/systemd/system/multi-user.target.wants/"$UNIT"
  step "Taking the program and its files away"
  for entry in "${SYSTEM_FILES[@]}"; do change rm -f "${entry#* }"; done
  [[ $(readlink "$LINK" || true) != "$HOME_DIR"/* ]] || change rm -f "$LINK"
  change rm -rf "$HOME_DIR"
  if has_systemd; then
    change systemctl daemon-reload
    tell_udev
  fi
  if [[ -f $BOOT_CONFIG ]]; then write_boot_config "$(others_boot_lines)"; fi
  if [[ $action == purge ]]; then
    step "Taking matches, configuration and the user away"
    change rm -rf "$STATE_DIR" "$CONFIG_DIR"
    if account_is_ours; then
      change userdel "$ACCOUNT"
    elif getent passwd "$ACCOUNT" >/dev/null; then
      say "The user $ACCOUNT is not the one that was made for the service, and stays."
    fi
  else
    say "Kept: matches in $STATE_DIR, the configuration $CONFIG, the user $ACCOUNT; --purge takes them away."
  fi
  say "The system's packages stay: others may need them."
}

install() {
  local id
  id=$(date -u +%Y%m%dT%H%M%S.%3N)
  check_system
  check_account
  install_packages
  check_python
  remove_old_releases
  build_release "$HOME_DIR/releases/$id"
  check_configuration "$HOME_DIR/releases/$id"
  switch_to "releases/$id"
  building=
  install_system_files "$SOURCE"
  install_configuration
  [[ $checked == yes ]] || takes_configuration "$HOME_DIR/current" ||
    warn "mend what is said above in $CONFIG, then: sudo systemctl restart setmatch"
  switch_buses_on
  make_voice
  start_service
  # Last, when nothing of them is needed any more.
  remove_old_releases
}

main() {
  read_options "$@"
  check_root
  # The caller's folder may be closed to the service's user.
  cd /
  if [[ $dry_run == no ]]; then
    exec 9>"$LOCK"
    flock --nonblock 9 || die "another install.sh is at work; wait for it to end"
    trap discard_unfinished EXIT
    trap 'warn "stopped (line $LINENO, last: $doing): see what it says above, and run this again"' ERR
  fi
  case $action in
    install) install ;;
    rollback) roll_back ;;
    uninstall | purge) take_away ;;
  esac
  if [[ $dry_run == yes ]]; then
    say "Nothing was changed."
  elif [[ $restart_needed == yes ]]; then
    say "Done. Restart the computer now: sudo reboot"
  else
    say "Done."
  fi
}

# One command, so that all is read before any of it runs: the file may change meanwhile, or be taken away.
{
  main "$@"
  exit
}
