import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import type { Envelope } from '../../../shared/outbox/envelope';
import { Outbox } from '../../../shared/outbox/outbox';
import { memoryStore } from '../../../shared/outbox/store';
import { ControlPage } from './ControlPage';

const control = {
  key: 'attention',
  after: 2,
  label: { en: 'What did you see?' },
  choices: [
    { key: 'websites', label: { en: 'Websites' } },
    { key: 'animals', label: { en: 'Animals' } },
  ],
};

async function show() {
  const sent: Envelope[] = [];
  const send = (envelope: Envelope) => Promise.resolve(void sent.push(envelope));
  const outbox = await Outbox.open({ store: memoryStore(), sessionId: 's', send });
  const onAnswered = vi.fn();
  render(
    <I18nProvider i18n={i18n}>
      <ControlPage control={control} outbox={outbox} onAnswered={onAnswered} />
    </I18nProvider>,
  );
  return { sent, onAnswered };
}

describe('a control question', () => {
  it('is answered with the keyboard alone, once, through the outbox', async () => {
    const { sent, onAnswered } = await show();
    expect(screen.getByRole('heading')).toHaveFocus();
    expect(screen.getByRole('radiogroup', { name: 'What did you see?' })).toBeInTheDocument();
    await userEvent.keyboard('{Tab} {ArrowDown}{Enter}{Enter}');
    await waitFor(() => { expect(onAnswered).toHaveBeenCalledExactlyOnceWith('attention'); });
    expect(sent.map(({ kind, session_id, body }) => ({ kind, session_id, body }))).toEqual([
      { kind: 'control', session_id: 's', body: { key: 'attention', choice: 'animals' } },
    ]);
  });

  it('accepts no answer before a choice', async () => {
    const { onAnswered } = await show();
    expect(screen.getByRole('button')).toBeDisabled();
    await userEvent.keyboard('{Tab}{Enter}');
    expect(onAnswered).not.toHaveBeenCalled();
  });
});
