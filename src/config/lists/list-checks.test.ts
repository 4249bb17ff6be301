import { describe, expect, test } from 'bun:test';
import { problemsIn, SMALL_FILE, settingsOf } from '../file.fixture.ts';

const listed = (list: string): string => `${SMALL_FILE}price_lists:\n  partners:\n${list}`;
const problems = (list: string): readonly string[] =>
  problemsIn(listed(list)).map((line) => line.replace(/^modelgate\.yaml:\d+: /, ''));

describe('a price list', () => {
  test('has a factor of 1 and all models, unless it says otherwise', () => {
    const { lists } = settingsOf(`${SMALL_FILE}price_lists: { partners: {} }`);
    expect(lists).toEqual({ partners: { factor: '1', only: null, hidden: [], models: {} } });
  });

  test('has prices that are parsed with the rest of their model', () => {
    const own = '{ price: { input: "1.00", output: "2.00" } }';
    const { lists } = settingsOf(
      listed(
        `    factor: "0.85"\n    models:\n      gen-x: { channels: { direct: ${own} } }\n      img-x: { hidden: true }\n`,
      ),
    );
    expect(lists['partners']).toMatchObject({
      factor: '0.85',
      hidden: ['img-x'],
      models: {
        'gen-x': {
          channels: ['direct'],
          settings: { maker: 'gen', channels: { direct: { price: { input: '1.00' } } } },
        },
      },
    });
  });

  test('has factors, names, models and channels that exist', () => {
    expect(
      problems('    factor: "0"\n    only: [gen-y]\n    models:\n      gem-x: { hidden: true }\n'),
    ).toEqual([
      'price_lists.partners.factor: must be above zero',
      'price_lists.partners.only.0: there is no model "gen-y"; did you mean "gen-x"?',
      'price_lists.partners.models.gem-x: there is no model "gem-x"; did you mean "gen-x"?',
    ]);
    expect(problems('    models:\n      gen-x: { channels: { stable: { price: {} } } }\n')).toEqual(
      [
        'price_lists.partners.models.gen-x.channels.stable: the model has no channel stable; it has direct',
      ],
    );
    expect(problemsIn(`${SMALL_FILE}price_lists: { Partners: {}, none: {} }`)).toHaveLength(2);
    const many = Array.from({ length: 51 }, (_, at) => `list-${at}: {}`).join(', ');
    expect(problemsIn(`${SMALL_FILE}price_lists: { ${many} }`).join()).toContain('at most 50');
  });

  test('has prices that are complete for their model, whatever its kind', () => {
    const at = 'price_lists.partners.models';
    const priced = (id: string, channel: string) =>
      problems(`    models:\n      ${id}: { channels: { direct: ${channel} } }\n`);
    expect(priced('gen-x', '{ price: { input: "1.00" } }')).toEqual([
      `${at}.gen-x.channels.direct.price.output: is missing; write it in quotes, such as "5.00"`,
    ]);
    expect(priced('gen-x', '{}')).toEqual([`${at}.gen-x.channels.direct.price: is missing`]);
    expect(priced('img-x', '{ price: { per_image: { 512x512: "0.01" } } }')).toContain(
      `${at}.img-x.channels.direct.price.per_image.1024x1024: is missing: the model offers it, so it needs a price`,
    );
    const rows = '[{ when: { tier: priority }, input: "2.00", output: "-" }]';
    expect(priced('gen-x', `{ price: { input: "1.00", output: "2.00", rows: ${rows} } }`)).toEqual([
      `${at}.gen-x.channels.direct.price.rows.0.output: write "-" for both input and output, or for neither`,
    ]);
    const soon = '[{ effective_from: soon, input: "1.00", output: "2.00" }]';
    const price = 'price: { input: "1.00", output: "2.00" }';
    expect(priced('gen-x', `{ ${price}, upcoming: ${soon} }`)).toEqual([
      `${at}.gen-x.channels.direct.upcoming.0.effective_from: write an instant with its offset, such as 2026-12-01T00:00:00Z`,
    ]);
  });

  test('has no problems of its models, which stand there', () => {
    const broken = listed(
      '    models:\n      gen-x: { channels: { direct: { price: { input: "1.00", output: "2.00" } } } }\n',
    ).replace('upstream: builtin', 'upstream: gone');
    expect(problemsIn(broken)).toEqual([
      'modelgate.yaml:13: models.gen-x.channels.direct.routes.0.upstream: there is no upstream "gone"; known: builtin',
    ]);
  });
});

describe('what is sold only on lists', () => {
  const problemsOf = (lines: string): readonly string[] =>
    problemsIn(`${SMALL_FILE.replace('    maker: gen\n', `    maker: gen\n${lines}`)}${LISTS}`).map(
      (line) => line.replace(/^modelgate\.yaml:\d+: models\.gen-x\./, ''),
    );
  const LISTS = 'price_lists: { partners: {}, staff: {} }\n';
  const stable = (lists: string): string =>
    SMALL_FILE.replace(
      '      direct:\n',
      `      stable:\n        only_on: ${lists}\n        price: { input: "5.00", output: "25.00" }\n        routes: [{ upstream: builtin, model: x }]\n      direct:\n`,
    ) + LISTS;

  test('names lists that exist, and at least one', () => {
    expect(problemsOf('    only_on: [partners]\n')).toEqual([]);
    expect(problemsOf('    only_on: [partner, 1]\n')).toEqual([
      'only_on.0: there is no price list "partner"; did you mean "partners"?',
      'only_on.1: must be text (in quotes), not 1',
    ]);
    expect(problemsOf('    only_on: []\n')).toEqual(['only_on: must name at least one price list']);
  });

  test('is never the default channel alone, nor a channel on lists that lack its model', () => {
    expect(problemsIn(stable('[staff]'))).toEqual([]);
    const onDefault = stable('[staff]').replace(
      'default_channel: direct',
      'default_channel: stable',
    );
    expect(problemsIn(onDefault).join()).toContain(
      'models.gen-x.channels.stable.only_on: cannot be set on the default channel',
    );
    const elsewhere = stable('[partners, staff]').replace(
      'maker: gen\n',
      'maker: gen\n    only_on: [partners]\n',
    );
    expect(problemsIn(elsewhere).join()).toContain(
      'models.gen-x.channels.stable.only_on.1: the model is not sold on the list "staff"',
    );
  });
});
