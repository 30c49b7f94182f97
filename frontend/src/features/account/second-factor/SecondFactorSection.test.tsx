import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { serve, show } from '../../../test/show';
import { SecondFactorSection } from './SecondFactorSection';

const setup = { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Eyelevel:rita?secret=ABCDEFGHIJKLMNOP', qr_code: 'data:image/svg+xml,none' };
const codes = Array.from({ length: 10 }, (_, index) => `aaaa-bbbb-${String(2222 + index)}`);

describe('the second factor of my account', () => {
  it('is set up by a first code, and shows the recovery codes until they are stored', async () => {
    const answers: Record<string, unknown> = {
      'GET /api/auth/second-factor': { state: 'off', recovery_codes_left: 0 },
      'POST /api/auth/second-factor/setup': setup,
      'POST /api/auth/second-factor/confirm': [422, { error: { code: 'wrong_first_code', message: 'm' } }],
    };
    const sent = serve(answers);
    const blobs: Blob[] = [];
    URL.createObjectURL = (blob) => `blob:${String(blobs.push(blob as Blob))}`;
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    show(<SecondFactorSection username="rita" isNeeded={false} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Set up' }));
    expect(await screen.findByRole('img', { name: 'QR code of the secret' })).toHaveAttribute('src', setup.qr_code);
    expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeVisible();
    expect(screen.getByRole('link', { name: 'open the app on this device' })).toHaveAttribute('href', setup.uri);
    const code = screen.getByLabelText('Six-digit code that the app shows now');
    const turnOn = screen.getByRole('button', { name: 'Turn on' });
    await userEvent.type(code, '12345');
    await userEvent.click(turnOn);
    expect(await screen.findByText('Please enter the six digits that the app shows.')).toBeVisible();
    await userEvent.type(code, ' 6');
    await userEvent.click(turnOn);
    expect(await screen.findByText(/The code does not match/)).toBeVisible();
    answers['POST /api/auth/second-factor/confirm'] = { recovery_codes: codes };
    answers['GET /api/auth/second-factor'] = { state: 'on', recovery_codes_left: 10 };
    await userEvent.click(turnOn);
    expect((await screen.findAllByRole('listitem')).map((item) => item.textContent)).toEqual(codes);
    await userEvent.click(screen.getByRole('button', { name: 'Download' }));
    expect(blobs[0]?.size).toBe(['Recovery codes of rita at localhost:3000', '', ...codes, ''].join('\n').length);
    await userEvent.click(screen.getByRole('button', { name: 'I have stored them' }));
    expect(await screen.findByText(/10 recovery codes are left/)).toBeVisible();
    expect(screen.queryByText(codes[0] ?? '')).toBeNull();
    expect(sent.map(({ body }) => body)).toEqual([null, { code: '123456' }, { code: '123456' }]);
  });

  it('asks for password and code before it is turned off', async () => {
    const answers: Record<string, unknown> = {
      'GET /api/auth/second-factor': { state: 'on', recovery_codes_left: 1 },
      'POST /api/auth/second-factor/off': [422, { error: { code: 'wrong_password', message: 'm' } }],
    };
    const sent = serve(answers);
    show(<SecondFactorSection username="rita" isNeeded={false} />);
    expect(await screen.findByText(/1 recovery code is left/)).toHaveTextContent('Create new ones soon.');
    await userEvent.click(screen.getByRole('button', { name: 'Turn off …' }));
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('Please enter both password and code.')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Password'), 'secret');
    await userEvent.type(screen.getByLabelText('Six-digit code from your app'), '123456');
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('The password is wrong.')).toBeVisible();
    answers['POST /api/auth/second-factor/off'] = [204, null];
    answers['GET /api/auth/second-factor'] = { state: 'off', recovery_codes_left: 0 };
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByRole('button', { name: 'Set up' })).toBeVisible();
    expect(sent[0]).toEqual({ call: 'POST /api/auth/second-factor/off', body: { password: 'secret', code: '123456' } });
  });
});
