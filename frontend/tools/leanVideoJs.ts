import { parseAsync, types as t } from '@babel/core';
import type { Plugin } from 'vite';

/** What a film without controls needs of video.js; every other part that registers itself is left out of the build. */
const kept = new Set(['Component', 'Tech', 'MediaLoader', 'Player']);
/** A table that only the settings of subtitles read. */
const tables = ['selectConfigs'];

/** Modules of video.js that read subtitles: our films have none. */
const unread = ['videojs-vtt.js', '@videojs/xhr'];

/**
 * Leaves out of video.js what our player never shows: bars, buttons, menus, dialogs and subtitles, half of its code.
 *
 * All parts are in one file and register themselves, so a bundler has to keep them. Without that one call they are
 * unused classes, and fall. Fails the build where video.js no longer looks like that.
 */
export function leanVideoJs(): Plugin {
  return {
    name: 'lean-video-js',
    apply: 'build',
    enforce: 'pre',
    resolveId(id) {
      return unread.includes(id) ? `\0unread:${id}` : null;
    },
    load(id) {
      // video.js fetches its reader of subtitles from elsewhere where it finds an empty one
      return id.startsWith('\0unread:') ? 'export default { unread: true };' : null;
    },
    async transform(code, id) {
      if (!id.includes('video.js/core.es.js')) return null;
      const file = await parseAsync(code, { babelrc: false, configFile: false, sourceType: 'module' });
      if (file == null) throw new Error('lean-video-js: core.es.js cannot be parsed');
      const statements = file.program.body;
      const parts = new Set([...statements.flatMap(registered).filter((name) => !kept.has(name)), ...tables]);
      if (parts.size < 60 || !parts.has('ControlBar')) throw new Error('lean-video-js: video.js registers its parts in another way now');
      return { code: without(code, statements.filter((statement) => isOnlyAbout(statement, parts))), map: null };
    },
  };
}

/** The name in `Component.registerComponent('Name', Name)`. */
function registered(statement: t.Statement): string[] {
  if (!t.isExpressionStatement(statement) || !t.isCallExpression(statement.expression)) return [];
  const { callee, arguments: given } = statement.expression;
  const isRegistration = t.isMemberExpression(callee) && t.isIdentifier(callee.property, { name: 'registerComponent' });
  return isRegistration && t.isStringLiteral(given[0]) ? [given[0].value] : [];
}

/** It registers one of the parts, or sets something of theirs. */
function isOnlyAbout(statement: t.Statement, parts: ReadonlySet<string>): boolean {
  if (registered(statement).some((name) => parts.has(name))) return true;
  if (t.isIfStatement(statement)) {
    return statement.alternate == null && t.isBlockStatement(statement.consequent) && statement.consequent.body.every((inner) => isOnlyAbout(inner, parts));
  }
  if (!t.isExpressionStatement(statement)) return false;
  const { expression } = statement;
  if (t.isAssignmentExpression(expression)) return parts.has(rootOf(expression.left));
  return t.isCallExpression(expression) && parts.has(rootOf(expression.callee));
}

function rootOf(node: t.Node): string {
  if (t.isMemberExpression(node)) return rootOf(node.object);
  return t.isIdentifier(node) ? node.name : '';
}

function without(code: string, statements: readonly t.Statement[]): string {
  return statements.reduceRight((left, { start, end }) => left.slice(0, start ?? 0) + left.slice(end ?? 0), code);
}
