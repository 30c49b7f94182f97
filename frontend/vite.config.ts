import { transformAsync } from '@babel/core';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

import { leanVideoJs } from './tools/leanVideoJs';

// Lingui's macros need Babel; other files are not transformed by it.
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

// In production the platform chooses the document; the development server returns study.html for a study's address.
const studyPages: Plugin = {
  name: 'study-pages',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (request.url?.startsWith('/s/')) request.url = '/study.html';
      next();
    });
  },
};

export default defineConfig({
  plugins: [studyPages, leanVideoJs(), linguiMacros(), react(), lingui({ failOnMissing: true, failOnCompileError: true })],
  server: { proxy: { '/api': api, '/clips': api } },
  build: {
    // No inlined assets, because the content security policy allows only 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'assets/manifest.json',
    rolldownOptions: { input: ['index.html', 'study.html'] },
    chunkSizeWarningLimit: 600,
  },
  test: {
    pool: 'threads',
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 30_000,
    projects: [
      // tests that need no page run in node, because creating a page takes longer than most tests
      { extends: true, test: { name: 'plain', include: ['src/**/*.test.ts'], environment: 'node', setupFiles: ['src/test/setup.ts'] } },
      { extends: true, test: { name: 'page', include: ['src/**/*.test.tsx'], environment: 'jsdom', setupFiles: ['src/test/setup.ts', 'src/test/setupPage.ts'] } },
    ],
  },
});
