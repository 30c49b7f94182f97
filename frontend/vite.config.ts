import { transformAsync } from '@babel/core';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

import { leanVideoJs } from './tools/leanVideoJs';

// Lingui's macros need Babel; only the few files that use one pay for it.
function linguiMacros(): Plugin {
  return {
    name: 'lingui-macros',
    enforce: 'pre',
    async transform(code, id) {
      const file = id.split('?')[0] ?? id;
      if (!/\.tsx?$/.test(file) || !/@lingui\/\w+\/macro/.test(code)) return null;
      const result = await transformAsync(code, {
        filename: file,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        parserOpts: { plugins: ['typescript', 'jsx'] },
        plugins: ['@lingui/babel-plugin-lingui-macro'],
      });
      return result?.code == null ? null : { code: result.code, map: result.map ?? null };
    },
  };
}

const api = process.env['EYELEVEL_API'] ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [leanVideoJs(), linguiMacros(), react(), lingui({ failOnMissing: true, failOnCompileError: true })],
  server: { proxy: { '/api': api, '/clips': api } },
  build: {
    // Nothing inline: the content security policy allows 'self' only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'assets/manifest.json',
    chunkSizeWarningLimit: 600,
  },
  test: {
    pool: 'threads',
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 30_000,
    projects: [
      // a test that needs no page runs without one: making one takes longer than most tests
      { extends: true, test: { name: 'plain', include: ['src/**/*.test.ts'], environment: 'node', setupFiles: ['src/test/setup.ts'] } },
      { extends: true, test: { name: 'page', include: ['src/**/*.test.tsx'], environment: 'jsdom', setupFiles: ['src/test/setup.ts', 'src/test/setupPage.ts'] } },
    ],
  },
});
