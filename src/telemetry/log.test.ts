import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { finished } from './finished.fixture.ts';
import { LineWriter } from './line-writer.ts';
import { type Level, RequestLines } from './log.ts';

const isModel = (): boolean => true;
const probe = finished({ isProbe: true });
const refused = finished({ status: 401, end: 'refused', settled: null });
const failed = finished({ status: 502, end: 'upstream_error' });

/**
 * Returns the lines that are logged at this level for four requests: served, refused, failed, and a
 * probe.
 */
async function written(level: Level): Promise<readonly string[]> {
  const clock = manualClock();
  let text = '';
  const writer = new LineWriter(1, clock, (_fd, bytes, done) => {
    text += new TextDecoder().decode(bytes);
    done(null, bytes.byteLength);
  });
  const lines = new RequestLines(level, clock, writer);
  for (const each of [finished(), refused, failed, probe]) lines.write(each, isModel);
  await lines.close();
  return text.split('\n').filter((line) => line !== '');
}

test('a level omits less severe lines, and probes have none', async () => {
  const outcomes = async (level: Level) =>
    (await written(level)).map((line) => JSON.parse(line).outcome);
  expect(await outcomes('debug')).toEqual(['completed', 'refused', 'upstream_error']);
  expect(await outcomes('info')).toEqual(['completed', 'refused', 'upstream_error']);
  expect(await outcomes('warn')).toEqual(['refused', 'upstream_error']);
  expect(await outcomes('error')).toEqual(['upstream_error']);
  expect(await outcomes('silent')).toEqual([]);
});

test("a line is one JSON object with pino's level and time", async () => {
  const [line = ''] = await written('info');
  expect(JSON.parse(line)).toMatchObject({ level: 30, time: 1_790_000_000_000, msg: 'request' });
});
