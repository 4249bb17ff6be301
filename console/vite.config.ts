import react from '@vitejs/plugin-react';
import postcssMantine from 'postcss-preset-mantine';
import { defineConfig } from 'vite';
import { chunkFileNames, chunkGroups } from './chunk-groups.ts';
import { pagePlugin } from './page-plugin.ts';
import { textsPlugin } from './texts-plugin.ts';

/** The API server for `npm run console:dev`: a gateway, or the mock at http://127.0.0.1:8081. */
const API = process.env['CONSOLE_API'] ?? 'http://127.0.0.1:8787';

// biome-ignore lint/style/noDefaultExport: Vite takes its settings from the default export.
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [textsPlugin(), pagePlugin(), react()],
  css: { postcss: { plugins: [postcssMantine()] } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // All screens share one style sheet. A separate sheet for each screen would delay it by another
    // request.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups }, chunkFileNames } },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/console/api', '/admin/v1', '/v1', '/v2', '/files', '/openapi.json', '/llms.txt'].map(
        (path) => [path, { target: API }],
      ),
    ),
  },
});
