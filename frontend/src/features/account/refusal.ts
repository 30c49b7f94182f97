import { useLingui } from '@lingui/react/macro';

import { ApiError } from '../../shared/api/error';

// after failed attempts, an account is locked for some minutes or for a day
const LONG_S = 3600;
// the platform checks one password at a time and answers `busy` in the meantime
const TRIES = 5;
const PAUSE_MS = 1000;

/** Query options for calls that check or set a password: retries while the platform is busy with another password. */
export const whileBusy = {
  retry: (failures: number, error: Error): boolean => error instanceof ApiError && error.code === 'busy' && failures < TRIES,
  retryDelay: PAUSE_MS,
};

/** Returns a function that turns an error about a password or code into a message. */
export function useRefusal(): (error: Error) => string {
  const { t } = useLingui();
  return (error) => {
    if (!(error instanceof ApiError)) return error.message;
    switch (error.code) {
      case 'wrong_credentials':
        return t`User name or password is wrong.`;
      case 'wrong_password':
        return t`The password is wrong.`;
      case 'weak_password':
        return t`The new password is too easy to guess; choose a longer one.`;
      case 'wrong_first_code':
        return t`The code does not match. Check that the clock of your device is right, and enter the code that the app shows now.`;
      case 'wrong_code':
        return t`The code is wrong or has already been used. Wait for the next code from your app, or use a recovery code.`;
      case 'too_many_attempts':
        return Number(error.details['retry_after_s']) > LONG_S ? t`Too many attempts. Try again tomorrow, or ask an admin.` : t`Too many attempts. Try again in five minutes.`;
      default:
        return error.message;
    }
  };
}
