/**
 * The route that lists each setting in force: its path in the configuration file, its value, and
 * where the value is from.
 */
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import { adminRoute, type Route } from '../edge/route.ts';

const SETTING = z
  .strictObject({
    name: z
      .string()
      .meta({ description: 'The path of the setting in the file, such as `limits.drain`.' }),
    value: z.string().meta({
      description: 'The value of the setting. Secrets are shown as `***`, empty values as `-`.',
    }),
    source: z.string().meta({
      description:
        'Where the value is from, such as `default`, `modelgate.yaml:3` or `environment PORT`.',
    }),
  })
  .meta({ id: 'Setting' });
const SETTINGS = z.strictObject({ file: z.string(), data: z.array(SETTING) });

/** @param config returns the configuration in force, which can be reloaded while requests run. */
export const adminSettingsRoutes = (
  config: () => Pick<Config, 'file' | 'sources'>,
): readonly Route[] => [
  adminRoute(
    'GET /settings',
    { summary: 'List the settings in force, each with its source', response: SETTINGS },
    async () => {
      const { file, sources } = config();
      const data = [...sources]
        .map(([name, { value, source }]) => ({ name, value, source }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return Response.json({ file, data } satisfies z.infer<typeof SETTINGS>);
    },
  ),
];
