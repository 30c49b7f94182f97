import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Redirect, useSearch } from 'wouter';

import { meKey, useMe } from '../../../shared/account/useMe';
import { answer, api } from '../../../shared/api/client';
import { ApiError } from '../../../shared/api/error';
import { useRefusal, whileBusy } from '../refusal';
import { CodeForm } from './CodeForm';
import { CredentialsForm } from './CredentialsForm';
import { isElsewhere, nextPath } from './nextPath';

interface Attempt {
  username: string;
  password: string;
  code?: string;
}

/** Login with user name and password, then with a code for accounts that have a second factor. */
export function LoginPage() {
  const next = nextPath(useSearch());
  const me = useMe();
  const cache = useQueryClient();
  const refusal = useRefusal();
  const enter = useMutation({
    mutationFn: (body: Attempt) => answer(api.POST('/api/auth/login', { body })),
    ...whileBusy,
    onSuccess: (account) => cache.setQueryData(meKey, account),
  });

  if (me.data != null) return isElsewhere(next) ? <Leave to={next} /> : <Redirect to={next} replace />;
  const known = enter.variables;
  const asked = enter.error instanceof ApiError && enter.error.code === 'second_factor_needed';
  if (known !== undefined && (asked || known.code !== undefined)) {
    const { username, password } = known;
    return (
      <CodeForm
        busy={enter.isPending}
        refusal={enter.error === null || asked ? null : refusal(enter.error)}
        onCode={(code) => { enter.mutate({ username, password, code }); }}
        onBack={() => { enter.reset(); }}
      />
    );
  }
  return <CredentialsForm busy={enter.isPending} refusal={enter.error === null ? null : refusal(enter.error)} onEnter={(credentials) => { enter.mutate(credentials); }} />;
}

/** Redirects to a page outside this document, such as Django's admin pages. */
function Leave({ to }: { to: string }) {
  useEffect(() => { location.replace(to); }, [to]);
  return null;
}
