// SPDX-License-Identifier: Apache-2.0

/// The fixed parts of the report's page.
enum HTMLPage {
    static let style = """

        :root { --ink: #1c1e21; --soft: #5b6168; --paper: #fff; --panel: #f5f6f7; --line: #dcdfe3; --mark: #fff3c4; --sure: #b3261e; --likely: #9a5b00;
          --possible: #1a5fb4; --focus: #1a5fb4 }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --soft: #a3abb3; --paper: #16181a; --panel: #1f2225; --line: #363b40; --mark: #4a3f12;
          --sure: #ff8a80; --likely: #f2b35c; --possible: #8ab8f8; --focus: #8ab8f8 } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
        header { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line) }
        header, main, body > section { padding: .75rem clamp(.75rem, 3vw, 2.5rem) }
        h1 { font-size: 1.35rem; margin: 0 } h2 { font-size: 1rem; margin: 1.25rem 0 .5rem; overflow-wrap: anywhere } h3 { font-size: 1rem; margin: .75rem 0 .25rem }
        h4 { font-size: .9rem; margin: .5rem 0 .25rem } small, .sum, .where { color: var(--soft); font-weight: normal } .sum { margin: .15rem 0 }
        .filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; font-size: .9rem; margin-top: .4rem } .filters[hidden] { display: none }
        input, select, button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: .35rem; padding: .2rem .5rem }
        input[type=search] { width: 16rem; max-width: 60vw }
        :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
        a { color: var(--possible) }
        .finding { border: 1px solid var(--line); border-left: .3rem solid var(--possible); border-radius: .35rem; margin: .5rem 0; padding: 0 .75rem }
        .finding.sure { border-left-color: var(--sure) } .finding.likely { border-left-color: var(--likely) } .finding.silent { border-left-color: var(--line); opacity: .8 }
        .finding[open] { padding-bottom: .75rem } summary { cursor: pointer; padding: .5rem 0; overflow-wrap: anywhere }
        .message { font-weight: 600 } .where { display: block; font-size: .85rem; padding-left: 1.1rem }
        .badge { font-size: .78rem; border: 1px solid; border-radius: 1rem; padding: 0 .5rem; margin-right: .35rem; color: var(--possible) }
        .badge.sure { color: var(--sure) } .badge.likely { color: var(--likely) } .badge.quiet { color: var(--soft) }
        pre { background: var(--panel); border-radius: .35rem; padding: .5rem 0; margin: .35rem 0; overflow-x: auto; font: .84rem/1.45 ui-monospace, monospace }
        pre code { display: block; font: inherit; white-space: pre; tab-size: 4; padding: 0 .6rem; width: max-content; min-width: 100% }
        pre span { display: inline-block; min-width: 100% } pre i { display: inline-block; min-width: 3.2em; color: var(--soft); font-style: normal; user-select: none }
        .mark { background: var(--mark) } code.place { color: var(--soft); font-size: .84rem; overflow-wrap: anywhere }
        .finding, .walk li, article { scroll-margin-top: 8.5rem }
        .walk ol { padding-left: 1.6rem; margin: 0 } .walk li p { margin: .35rem 0 0 } .walk li.current { outline: 2px solid var(--focus); outline-offset: .3rem; border-radius: .2rem }
        .walk li.away { opacity: .45 } .steps { margin-left: .75rem; font-weight: normal; font-size: .85rem } .reason { font-style: italic; margin: .25rem 0 }
        .unread { border: 1px solid var(--sure); border-radius: .35rem; padding: 0 .75rem } [hidden] { display: none }
        @media (max-width: 40rem) { header { position: static } .finding, .walk li, article { scroll-margin-top: .75rem } }
        @media print { header { position: static } .filters, .steps { display: none } }

        """

    static let script = """

        (() => {
          const $ = id => document.getElementById(id), all = [...document.querySelectorAll('.finding')];
          document.querySelector('.filters').hidden = false;
          for (const span of document.querySelectorAll('.steps')) span.hidden = false;
          const texts = new Map(all.map(f => [f, (f.textContent + ' ' + f.parentElement.querySelector('h2').textContent).toLowerCase()]));
          const filter = () => {
            const words = $('search').value.toLowerCase().split(/\\s+/).filter(Boolean);
            let shown = 0;
            for (const f of all) {
              const fits = (!$('rule').value || f.dataset.rule === $('rule').value) && +f.dataset.sure >= +$('sure').value
                && (!$('standing').value || f.dataset.standing === $('standing').value) && words.every(w => texts.get(f).includes(w));
              f.hidden = !fits; shown += fits;
            }
            for (const s of document.querySelectorAll('.file')) s.hidden = !s.querySelector('.finding:not([hidden])');
            $('count').textContent = shown === all.length ? '' : shown + ' of ' + all.length;
          };
          for (const id of ['search', 'rule', 'sure', 'standing']) $(id).addEventListener('input', filter);
          document.querySelector('.filters').addEventListener('submit', event => event.preventDefault());
          $('all').addEventListener('click', () => {
            const open = all.some(f => !f.hidden && !f.open);
            for (const f of all) if (!f.hidden) f.open = open;
            $('all').textContent = open ? 'Close all' : 'Open all';
          });
          const go = (walk, by) => {
            const steps = [...walk.querySelectorAll('li')], now = steps.findIndex(s => s.classList.contains('current'));
            const next = Math.max(0, Math.min(steps.length - 1, now < 0 ? (by > 0 ? 0 : steps.length - 1) : now + by));
            steps.forEach((s, i) => { s.classList.toggle('current', i === next); s.classList.toggle('away', i !== next); });
            walk.querySelector('output').textContent = ' ' + (next + 1) + ' of ' + steps.length + ' ';
            steps[next].scrollIntoView({ block: 'nearest' });
          };
          document.addEventListener('click', event => {
            const button = event.target.closest('button[data-step]');
            if (button) go(button.closest('.walk'), +button.dataset.step);
          });
          document.addEventListener('keydown', event => {
            if (event.target.closest('input, select') || event.ctrlKey || event.metaKey || event.altKey) return;
            const open = event.target.closest('.finding[open]');
            if (open && (event.key === 'ArrowRight' || event.key === 'ArrowLeft') && !event.target.closest('pre')) {
              const walk = open.querySelector('.walk');
              if (walk) { go(walk, event.key === 'ArrowRight' ? 1 : -1); event.preventDefault(); }
            }
          });
          const reveal = () => { const f = location.hash && document.getElementById(location.hash.slice(1)); if (f && 'open' in f) { f.open = true; f.scrollIntoView(); } };
          addEventListener('hashchange', reveal); reveal();
        })();

        """
}
