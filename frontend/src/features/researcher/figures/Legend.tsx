import { Trans } from '@lingui/react/macro';

import { colourOf, shapeOf } from './encoding';
import { Mark } from './Mark';

/** Colour is the network, shape the stack. */
export function Legend({ networks, stacks }: { networks: readonly string[]; stacks: readonly string[] }) {
  return (
    <div className="legend">
      <span>
        <Trans>Network:</Trans>
      </span>
      {networks.map((network) => (
        <span key={network} className="legend__item">
          <svg width="14" height="14" aria-hidden="true">
            <Mark x={7} y={7} shape="circle" colour={colourOf(networks, network)} />
          </svg>
          {network}
        </span>
      ))}
      <span>
        <Trans>Stack:</Trans>
      </span>
      {stacks.map((stack) => (
        <span key={stack} className="legend__item">
          <svg width="14" height="14" aria-hidden="true">
            <Mark x={7} y={7} shape={shapeOf(stacks, stack)} colour="#55595e" />
          </svg>
          {stack}
        </span>
      ))}
    </div>
  );
}
