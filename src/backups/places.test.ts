import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { failureOf } from '../ledger/conformance/ledger.fixture.ts';
import { startBucket } from '../store/s3/bucket.fixture.ts';
import { type BackupName, nameOf, parseName } from './backup-name.ts';
import { allOf } from './backups.fixture.ts';
import { FolderPlace } from './folder-place.ts';
import { type BackupPlace, backupsIn } from './place.ts';
import { S3Place } from './s3-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'modelgate-places-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MIB = 1024 ** 2;
const name = (second: number, origin = 'aaaaaaaa'): string =>
  nameOf({
    ...{ origin, takenAtMs: Date.UTC(2026, 0, 1, 0, 0, second) },
    ...({ engine: 'sqlite', isSealed: false, isSound: true } as const),
  });
let files = 0;
function newFile(bytes: Uint8Array): string {
  const path = join(folder, `finished-${++files}`);
  writeFileSync(path, bytes);
  return path;
}
async function put(place: BackupPlace, as: string, bytes: Uint8Array) {
  return await place.put(as, { file: newFile(bytes), sealed: null, bytes: bytes.byteLength });
}
const sample = (bytes: number): Buffer => Buffer.alloc(bytes, 'not all the same.');

test('a name says what a backup is, and other names are not backups', () => {
  const facts: BackupName = {
    ...{ origin: '0123abcd', takenAtMs: Date.UTC(2026, 10, 23, 18, 5, 9, 7) },
    ...({ engine: 'postgres', isSealed: true, isSound: false } as const),
  };
  const written = 'modelgate-0123abcd-20261123T180509007Z-unsound.pgcopy.enc';
  expect(nameOf(facts)).toBe(written);
  expect(parseName(written)).toEqual(facts);
  expect(parseName(name(1))).toMatchObject({ engine: 'sqlite', isSealed: false, isSound: true });
  for (const other of ['modelgate.db', `${name(1)}.copying`, 'modelgate-1.2.partial', '../x'])
    expect(parseName(other)).toBeNull();
});

const conformance = (withPlace: (use: (place: BackupPlace) => Promise<void>) => Promise<void>) => {
  test(
    'stores, lists newest first, reads and deletes',
    () =>
      withPlace(async (place) => {
        expect(await place.list()).toEqual([]);
        const bytes = sample(40 * MIB + 5);
        const stored = await put(place, name(1), bytes);
        expect(stored).toEqual({ address: `${place.address}/${name(1)}`, bytes: bytes.byteLength });
        await put(place, name(3), sample(3));
        await put(place, name(2, 'bbbbbbbb'), sample(2));
        const listed = await backupsIn(place);
        expect(listed.map((each) => each.name)).toEqual([name(3), name(2, 'bbbbbbbb'), name(1)]);
        expect(listed[2]?.bytes).toBe(bytes.byteLength);
        expect((await allOf(place.read(name(1)))).equals(bytes)).toBe(true);
        await place.delete(name(1));
        await place.delete(name(1));
        expect(await place.list()).toHaveLength(2);
      }),
    180_000,
  );

  test('stores nothing of content that ends with an error', () =>
    withPlace(async (place) => {
      async function* broken(): AsyncGenerator<Uint8Array> {
        for (let part = 0; part < 20; part++) yield sample(MIB);
        throw new Error('the disk is gone');
      }
      const finished = { file: newFile(sample(1)), sealed: broken(), bytes: 20 * MIB };
      expect(await failureOf(place.put(name(1), finished))).toMatchObject({
        code: 'internal_error',
      });
      expect(await place.list()).toEqual([]);
    }));
};

describe('in a folder', () => {
  let folders = 0;
  const newPlace = () => new FolderPlace(join(folder, `place-${++folders}`), systemClock);
  conformance((use) => use(newPlace()));

  test('removes what killed processes left, and leaves other files', async () => {
    const place = newPlace();
    await put(place, name(1), sample(1));
    const left = join(place.address, `${name(2)}.copying`);
    const running = join(place.address, `${name(3)}.copying`);
    for (const path of [left, running, join(place.address, 'notes.txt')]) writeFileSync(path, 'x');
    utimesSync(left, 1, 1);
    await put(place, name(4), sample(1));
    expect(readdirSync(place.address).toSorted()).toEqual(
      [name(1), `${name(3)}.copying`, name(4), 'notes.txt'].toSorted(),
    );
  });

  test('stores and lists beside files that vanish meanwhile', async () => {
    const place = newPlace();
    await put(place, name(1), sample(1));
    // A link without a target is in the list of files, but has no size, as a file that vanished.
    for (const gone of [`${name(2)}.copying`, 'modelgate-latest.db'])
      symlinkSync(join(place.address, 'nothing'), join(place.address, gone));
    await put(place, name(3), sample(1));
    expect((await backupsIn(place)).map((each) => each.name)).toEqual([name(3), name(1)]);
  });
});

describe('in a bucket', () => {
  const withBucket = async (use: (place: BackupPlace) => Promise<void>): Promise<void> => {
    await using bucket = startBucket();
    await use(new S3Place({ ...bucket.settings, prefix: 'ours' }, systemClock));
    expect([...bucket.uploads.keys()]).toEqual([]);
  };
  conformance(withBucket);

  test('reads lists of several pages', async () => {
    await using bucket = startBucket();
    for (let second = 0; second < 2_345; second++)
      bucket.objects.set(`backups/${name(second)}`, { bytes: new Uint8Array(1), type: '' });
    const place = new S3Place(bucket.settings, systemClock);
    expect((await place.list()).length).toBe(2_345);
  });

  test('an upload that fails in the middle leaves nothing, and names the reason', async () => {
    await using bucket = startBucket();
    bucket.failOn('partNumber=2', 400);
    const place = new S3Place(bucket.settings, systemClock);
    const failure = await failureOf(put(place, name(1), sample(40 * MIB)));
    expect(failure).toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('s3://pictures/backups (InternalError)'),
    });
    expect([...bucket.objects.keys()]).toEqual([]);
    expect([...bucket.uploads.keys()]).toEqual([]);
  }, 180_000);

  test('a refused key is named', async () => {
    await using bucket = startBucket();
    const place = new S3Place({ ...bucket.settings, access_key_id: 'stranger' }, systemClock);
    for (const call of [place.list(), put(place, name(1), sample(1))])
      expect(await failureOf(call)).toMatchObject({
        message: expect.stringContaining('InvalidAccessKeyId'),
      });
  });
});
