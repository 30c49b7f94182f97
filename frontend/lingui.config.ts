import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

// Participants and staff have separate catalogs, because a participant's browser must not load the names of stacks,
// networks and metrics.
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
