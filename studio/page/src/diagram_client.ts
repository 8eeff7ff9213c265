// The document of the diagram editor lies on the server, one for all pages. Here is what this page knows of it, and the way back.

import type { DiagramDocument } from './diagram_document';
import type { Source } from './source';

export interface PaletteParameter { name: string; help: string; fallback: string; unit: string; required: boolean }
export interface PalettePort { name: string; help: string }
/** What a kind of block says about itself. */
export interface PaletteKind {
  name: string; category: string; summary: string; details: string;
  parameters: PaletteParameter[]; inputs: PalettePort[]; outputs: PalettePort[];
}

export interface NodePort { name: string; type: string; short: string; optional: boolean; connected: boolean; fields?: { name: string; type: string }[] }
/** A block or sub-diagram that could be made. */
export interface DocumentNode { path: string; kind: string; inputs: NodePort[]; outputs: NodePort[] }
/** `where`: "blocks/3/factor". */
export interface Problem { where: string; text: string; hint: string }

export interface DocumentState {
  revision: number; document: DiagramDocument; nodes: DocumentNode[]; problems: Problem[]; undo: number; redo: number;
  /** It is the diagram that is simulated. */
  runs: boolean;
}

/** What the server refuses. `where` is empty where it is about nothing in particular. */
export class RefusedEdit extends Error {
  constructor(text: string, readonly where: string) { super(text); }
}

export class DiagramClient {
  state: DocumentState | null = null;
  private palette: Promise<PaletteKind[]> | null = null;
  private chain: Promise<unknown> = Promise.resolve();

  /** @param changed the document is another one */
  constructor(private source: Source, private changed: () => void) {}

  kinds(): Promise<PaletteKind[]> {
    this.palette ??= this.source.ask<{ kinds: PaletteKind[] }>({ ask: 'palette' }).then(({ kinds }) => kinds);
    this.palette.catch(() => { this.palette = null; });  // the connection was gone: it is asked for again
    return this.palette;
  }

  refresh(): Promise<void> { return this.inTurn(() => this.take({ ask: 'document' })); }
  undo(): Promise<void> { return this.inTurn(() => this.take({ ask: 'edit-undo', revision: this.state!.revision })); }
  redo(): Promise<void> { return this.inTurn(() => this.take({ ask: 'edit-redo', revision: this.state!.revision })); }
  async yaml(): Promise<string> { return (await this.source.ask<{ text: string }>({ ask: 'yaml' })).text; }

  run(): void { if (this.state) this.source.command({ do: 'diagram', revision: this.state.revision }); }

  /** Changes a copy of the document, and shows it at once; what the server refuses is taken back. @param strict refuse what does not fit */
  edit(change: (document: DiagramDocument) => void, strict = false): Promise<void> {
    return this.inTurn(async () => {
      const before = this.state!, document = structuredClone(before.document);
      change(document);
      this.state = { ...before, document };
      if (!strict) this.changed();
      try {
        await this.take({ ask: 'edit', revision: before.revision, document, strict });
      } catch (problem) {
        this.state = before;
        this.changed();
        throw problem;
      }
    });
  }

  /** One after the other: each is made from what the one before has left. */
  private inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.chain.then(action);
    this.chain = result.catch(() => undefined);
    return result;
  }

  private async take(question: Record<string, unknown>): Promise<void> {
    this.state = await this.source.ask<DocumentState>(question);
    this.changed();
  }
}
