import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import { plainSession, studyText } from '../../../test/records';
import { show } from '../../../test/show';
import { InstructionsPage } from './InstructionsPage';

vi.mock('../../../shared/player/video/useDecoding', () => ({ useDecoding: () => 'yes' }));

it.each([
  ['resume', 'If you reload the page, you continue where you left off.'],
  ['restart', 'the study would start again from the beginning.'],
  ['block', 'you could not continue.'],
] as const)('tells what a reload does where the study says "%s"', (resume, sentence) => {
  show(<InstructionsPage session={{ ...plainSession, study: { ...studyText, resume } }} onDone={vi.fn()} />);
  const item = screen.getByText(/You can stop at any time\./);
  expect(item).toHaveTextContent(sentence);
  expect(item.textContent.includes('continue where you left off')).toBe(resume === 'resume');
});
