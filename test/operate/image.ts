/**
 * For tests: builds the image with `buildah` and runs it as a container engine would. No image
 * registry is needed, because `debootstrap` builds the base image. Requires the Debian packages
 * `buildah` and `debootstrap`, and root rights.
 */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
/**
 * The folder of images. It is not deleted after a run, because a base image takes minutes to build.
 */
const KEPT = join(ROOT, '.tmp/containers');
const NAME = 'localhost/modelgate';

/** The image's configuration, as `buildah inspect` prints it. */
export type ImageConfig = {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly StopSignal: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
};

/**
 * Runs a command and returns its output.
 * @throws Error with the command's output if the command fails.
 */
function run(command: readonly string[]): string {
  const { stdout, stderr, success } = Bun.spawnSync([...command]);
  if (!success) throw new Error(`${command.join(' ')} failed: ${stdout}${stderr}`);
  return stdout.toString().trim();
}

export function buildah(...args: readonly string[]): string {
  const storage = [
    '--storage-driver',
    'vfs',
    '--root',
    `${KEPT}/store`,
    '--runroot',
    `${KEPT}/run`,
  ];
  return run(['buildah', ...storage, ...args]);
}

/**
 * Builds two base images: a minimal Debian, and a second one that also contains this machine's
 * Node.js and npm.
 */
function makeBases(): void {
  if (buildah('images', '--quiet', '--filter', 'reference=localhost/build-base') !== '') return;
  const base = join(KEPT, 'base');
  if (!existsSync(base)) {
    mkdirSync(KEPT, { recursive: true });
    run(['debootstrap', '--variant=minbase', 'bookworm', `${base}.part`]);
    renameSync(`${base}.part`, base);
  }
  const plain = buildah('from', 'scratch');
  buildah('add', '--quiet', plain, base, '/');
  buildah('commit', '--quiet', '--rm', plain, 'localhost/base');
  const withNode = buildah('from', 'localhost/base');
  const npm = join(run(['npm', 'root', '--global']), 'npm');
  buildah('copy', '--quiet', withNode, run(['which', 'node']), '/usr/local/bin/node');
  buildah('copy', '--quiet', withNode, npm, '/usr/local/lib/npm');
  const link = ['ln', '-s', '../lib/npm/bin/npm-cli.js', '/usr/local/bin/npm'];
  buildah('run', '--isolation', 'chroot', withNode, ...link);
  // If this machine trusts an extra certificate, npm may need it to reach its registry.
  const trusted = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (trusted !== '') {
    buildah('copy', '--quiet', withNode, trusted, '/etc/machine-ca.crt');
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/machine-ca.crt', withNode);
  }
  buildah('commit', '--quiet', '--rm', withNode, 'localhost/build-base');
}

/** A built container. Its root file system is a folder of this machine. */
export type Built = { readonly container: string; readonly root: string; readonly bytes: number };

/** Builds the image that the `Containerfile` describes. */
export function buildImage(): Built {
  makeBases();
  const args = {
    BASE: 'localhost/base',
    BUILD_BASE: 'localhost/build-base',
    VERSION: '0.0.0-test',
  };
  const cache = `${run(['npm', 'config', 'get', 'cache'])}:/root/.npm`;
  buildah(
    ...['bud', '--isolation', 'chroot', '--format', 'docker', '--volume', cache, '--tag', NAME],
    ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    ROOT,
  );
  const container = buildah('from', NAME);
  const root = buildah('mount', container);
  return {
    container,
    root,
    bytes: Number(run(['du', '--summarize', '--bytes', root]).split('\t')[0]),
  };
}

export function configOf({ container }: Built): ImageConfig {
  return JSON.parse(buildah('inspect', container)).Docker.config;
}

type Started = {
  /** The folder of this machine that replaces the container's volume. */
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
};

/**
 * A script that runs a command on a file system in which only the data folder and `/tmp` are
 * writable. Its mounts disappear when the process ends.
 */
const ON_READ_ONLY_ROOT = `set -e
root=$1 data=$2 user=$3; shift 3
mount --bind "$root" "$root"
mount --bind "$data" "$root/var/lib/modelgate"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"
for each in null urandom; do touch "$root/dev/$each"; mount --bind "/dev/$each" "$root/dev/$each"; done
mount -o remount,ro,bind "$root"
exec setpriv --no-new-privs chroot --groups= --userspec="$user" "$root" "$@"`;

/**
 * Starts a command as the image's user, with the image's environment and a read-only root file
 * system. The process has no capabilities and cannot gain any. It uses this machine's network.
 */
export function start({ root }: Built, config: ImageConfig, { data, env, command }: Started) {
  const stated = config.Env.map((each): [string, string] => {
    const [name = '', ...value] = each.split('=');
    return [name, value.join('=')];
  });
  const script = ['sh', '-c', ON_READ_ONLY_ROOT, 'sh', root, data, config.User];
  return Bun.spawn(['unshare', '--mount', '--propagation', 'private', ...script, ...command], {
    // This PATH works both for the script, on this machine, and for the command, in the image.
    env: { ...Object.fromEntries(stated), PATH: '/usr/bin:/usr/sbin:/bin:/sbin', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}
