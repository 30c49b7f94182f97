import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';

import type { StudyClipDetailOut, StudyClipOut } from '../../../shared/api/contract.gen';
import { someMetrics } from '../../../test/metrics';
import { serve, show } from '../../../test/show';
import { ClipDialog } from './ClipDialog';
import { ClipsSection } from './ClipsSection';
import { ConditionDialog } from './ConditionDialog';
import { type Opened, useMarkClicks } from './opened';

const sha256 = 'a'.repeat(64);
const digest = 'c'.repeat(64);
const path = `/api/research/studies/${sha256}/clips`;
const metrics = {
  fvc_ms: 400, si_ms: 700, vc85_ms: 800, lvc_ms: 800, plt_ms: 900, fvc_plain_ms: 410, si_plain_ms: 720, vc85_plain_ms: 820, lvc_plain_ms: 1500,
  lcp_ms: null, cls: 0.125,
};
const listed: StudyClipOut = {
  sha256: digest, batch_sha256: 'b'.repeat(64), kind: 'single', site: 'garden', network: 'DSL', stacks: ['QUIC'], run: 3, run_role: 'medoid', purpose: 'study',
  roles: ['main'], contexts: ['work'], duration_ms: 2000, width_px: 1280, height_px: 720,
};
const side = { stack: 'QUIC', run: 3, take_sha256: 'd'.repeat(64), delay_ms: 0, settled: true, metrics, clip_metrics: { fvc_ms: 416, si_ms: 710, vc85_ms: 816, lvc_ms: 816 }, progress: [{ ms: 0, percent: 0 }, { ms: 400, percent: 100 }] };
const votes = { kind: 'rate', role: 'main' as const, n: 2, votes: 3, mean: 5.5, ci_low: 4, ci_high: 7, answers: ['1', '2', '3', '4', '5', '6', '7'].map((answer) => ({ answer, votes: answer === '5' ? 2 : answer === '6' ? 1 : 0 })) };
const detail: StudyClipDetailOut = { ...listed, start_ms: 200, cut: false, moving: false, sides: [side], votes: [votes], snapshot_sha256: 'e'.repeat(64) };
const call = `GET ${path}/${digest}?origin=person`;
const list = { 'GET /api/metrics': someMetrics };

const condition = { site: 'garden', network: 'DSL', stacks: ['QUIC'], context: 'work' };

function Opener({ onOpen }: { onOpen: (opened: Opened) => void }) {
  useMarkClicks(onOpen);
  return (
    <div className="figure">
      <svg>
        <g data-clip={digest} tabIndex={0} role="button" aria-label="a mark">
          <circle r={3} data-testid="dot" />
        </g>
        <g data-condition={JSON.stringify(condition)} tabIndex={0} role="button" aria-label="a cell">
          <text data-testid="cell">6.5</text>
        </g>
        <g data-condition="{}">
          <text data-testid="odd" />
        </g>
        <circle r={3} data-testid="other" />
      </svg>
    </div>
  );
}

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () { this.open = true; };
  HTMLDialogElement.prototype.close = function () { this.dispatchEvent(new Event('close')); };
});

describe('a mark of a figure', () => {
  it('opens its clip or condition on a click inside it, on Enter and on the space bar, and marks of neither do nothing', async () => {
    const opened: Opened[] = [];
    show(<Opener onOpen={(target) => opened.push(target)} />);
    await userEvent.click(screen.getByTestId('other'));
    await userEvent.click(screen.getByTestId('odd'));
    expect(opened).toEqual([]);
    await userEvent.click(screen.getByTestId('dot'));
    screen.getByRole('button', { name: 'a mark' }).focus();
    await userEvent.keyboard('{Enter} x');
    expect(opened).toEqual([{ clip: digest }, { clip: digest }, { clip: digest }]);
    await userEvent.click(screen.getByTestId('cell'));
    screen.getByRole('button', { name: 'a cell' }).focus();
    await userEvent.keyboard('{Enter}');
    expect(opened.slice(3)).toEqual([{ condition }, { condition }]);
  });
});

describe('the dialog of a condition', () => {
  it('lists its clips, whichever stack is left, and stays below the one that is shown', async () => {
    const pair = { ...listed, kind: 'pair' as const, stacks: ['TCP+', 'QUIC'] };
    const others = [
      listed,
      { ...pair, roles: ['training' as const] },
      { ...pair, contexts: ['plane'] },
      { ...pair, site: 'teashop' },
      { ...pair, network: 'LTE' },
      { ...pair, stacks: ['TCP+', 'TCP'] },
    ];
    const other = 'f'.repeat(64);
    const closed: boolean[] = [];
    serve({ [`GET ${path}`]: [pair, { ...pair, stacks: ['QUIC', 'TCP+'], run: 4, sha256: other }, ...others], [`GET ${path}/${other}?origin=person`]: { ...detail, sha256: other } });
    show(<ConditionDialog sha256={sha256} condition={{ ...condition, stacks: ['QUIC', 'TCP+'] }} onClose={() => closed.push(true)} />);
    const buttons = await screen.findAllByRole('button', { name: /^Show the clip/ });
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Show the clip: garden, DSL, TCP+ | QUIC, run 3', 'Show the clip: garden, DSL, QUIC | TCP+, run 4']);
    await userEvent.click(screen.getByRole('button', { name: /run 4$/ }));
    const clip = await screen.findByRole('dialog', { name: 'garden, DSL, QUIC' });
    await userEvent.click(within(clip).getByRole('button', { name: 'Close' }));
    expect(screen.getAllByRole('dialog')).toEqual([screen.getByRole('dialog', { name: 'garden, DSL, QUIC | TCP+' })]);
    expect(closed).toEqual([]);
  });

  it('is that of the clip where there is one only', async () => {
    serve({ [`GET ${path}`]: [listed], [call]: detail });
    show(<ConditionDialog sha256={sha256} condition={condition} onClose={() => undefined} />);
    expect(await screen.findByLabelText('Video: garden, DSL, QUIC')).toBeVisible();
  });
});

describe('the dialog of a clip', () => {
  it('shows the video, what it shows, its panel, votes and metrics', async () => {
    serve({ ...list, [call]: detail });
    show(<ClipDialog sha256={sha256} digest={digest} onClose={() => undefined} />);
    expect(await screen.findByRole('heading', { name: 'garden, DSL, QUIC' })).toBeVisible();
    expect(screen.getByLabelText('Video: garden, DSL, QUIC')).toHaveAttribute('src', `/api/batches/${'b'.repeat(64)}/clips/${digest}`);
    expect(screen.getByRole('img', { name: 'Visual completeness over time, QUIC' }).querySelector('polyline')).toHaveAttribute('points', '0,100 10,100 10,100 30,100 30,0 100,0');
    expect(screen.getByText(/3 votes of 2 participants, mean 5\.50 \(95 % interval 4\.00 to 7\.00\)/)).toBeVisible();
    expect(within(screen.getByRole('row', { name: /^5 good/ })).getByText('2')).toBeVisible();
    expect(await screen.findByText('SI')).toHaveAttribute('title', 'the name of si');
    expect(screen.getByRole('row', { name: 'LVC 0.80\u00a0s 1.50\u00a0s 0.82\u00a0s' })).toBeVisible();
    expect(screen.getByRole('row', { name: 'CLS 0.125' })).toBeVisible();
    expect(screen.queryByRole('row', { name: /^LCP/ })).toBeNull();
  });

  it('shows both sides of a pair, and a line of metrics where there is no curve', async () => {
    const slow = { ...side, stack: 'TCP+', progress: null };
    const pair = { ...detail, kind: 'pair' as const, stacks: ['TCP+', 'QUIC'], sides: [slow, side], votes: [{ kind: 'compare', role: 'main' as const, n: 2, votes: 2, mean: null, ci_low: null, ci_high: null, answers: [{ answer: 'left', votes: 0 }, { answer: 'none', votes: 0 }, { answer: 'right', votes: 2 }] }] };
    serve({ ...list, [call]: pair });
    show(<ClipDialog sha256={sha256} digest={digest} onClose={() => undefined} />);
    const left = await screen.findByRole('img', { name: 'Visual completeness over time, TCP+' });
    await screen.findAllByText('SI');
    expect([left.querySelectorAll('polyline').length, left.querySelectorAll('.clip-panel__metric').length]).toEqual([0, 5]);
    expect(screen.getByText('The batch has no curve of visual completeness for this load.')).toBeVisible();
    expect(within(screen.getByRole('row', { name: /^right \(QUIC\)/ })).getByText('2')).toBeVisible();
    expect(screen.getByRole('columnheader', { name: 'plain film, left (TCP+)' })).toBeVisible();
  });

  it('says why there are no votes', async () => {
    serve({ [call]: { ...detail, votes: null } });
    show(<ClipDialog sha256={sha256} digest={digest} onClose={() => undefined} />);
    expect(await screen.findByText(/Votes appear here once/)).toBeVisible();
  });

  it('closes by its button', async () => {
    const closed: boolean[] = [];
    serve({ ...list, [call]: detail });
    show(<ClipDialog sha256={sha256} digest={digest} onClose={() => closed.push(true)} />);
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(closed).toEqual([true]);
  });
});

describe('the list of clips', () => {
  it('is loaded when it is opened, and opens each clip', async () => {
    const opened: string[] = [];
    serve({ [`GET ${path}`]: [listed] });
    show(<ClipsSection sha256={sha256} onOpen={(clip) => opened.push(clip)} />);
    await userEvent.click(screen.getByText('Clips of this study'));
    await userEvent.click(await screen.findByRole('button', { name: 'Show the clip: garden, DSL, QUIC, run 3' }));
    expect(opened).toEqual([digest]);
  });
});
