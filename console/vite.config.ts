import react from '@vitejs/plugin-react';
import postcssMantine from 'postcss-preset-mantine';
import { defineConfig } from 'vite';

/** The API for `npm run console:dev`: a gateway, or the mock at http://127.0.0.1:8081. */
const API = process.env['CONSOLE_API'] ?? 'http://127.0.0.1:8787';

// biome-ignore lint/style/noDefaultExport: Vite takes its settings from the default export.
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  css: { postcss: { plugins: [postcssMantine()] } },
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
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
