import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

// A participant's catalog apart from the staff's: a participant's browser must not even load the words of the staff pages,
// because they name stacks, networks and metrics.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de'],
  format: formatter({ lineNumbers: false, origins: true }),
  catalogs: [
    {
      path: 'src/locales/participant/{locale}',
      include: ['src/shared', 'src/trials', 'src/features/participate'],
    },
    {
      path: 'src/locales/withdraw/{locale}',
      include: ['src/features/withdraw'],
    },
    {
      path: 'src/locales/staff/{locale}',
      include: ['src/app', 'src/features/researcher', 'src/features/admin', 'src/features/account', 'src/features/audit', 'src/features/health'],
    },
  ],
});
