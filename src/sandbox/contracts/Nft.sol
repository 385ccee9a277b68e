// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// A collection. The minter mints, and so does whoever deployed it: the provider, on behalf of its users. A token without
/// a URI of its own has the base URI with its id behind it.
contract Nft is AccessControl, Ownable, ERC721URIStorage {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");

    string public baseURI;

    constructor(string memory name_, string memory symbol_, string memory baseURI_, address owner_, address minter)
        ERC721(name_, symbol_)
    {
        baseURI = baseURI_;
        _grantRole(MINTER_ROLE, _msgSender());
        _transferOwnership(owner_);
        _grantRole(DEFAULT_ADMIN_ROLE, owner_);
        _grantRole(MINTER_ROLE, minter);
    }

    function mintWithTokenURI(address to, uint256 tokenId, string memory uri) external onlyRole(MINTER_ROLE) {
        _mint(to, tokenId);
        _setTokenURI(tokenId, uri);
    }

    function burn(uint256 tokenId) external {
        require(_isApprovedOrOwner(_msgSender(), tokenId), "ERC721: caller is not token owner or approved");
        _burn(tokenId);
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        string memory own = super.tokenURI(tokenId);
        return bytes(own).length > 0 || bytes(baseURI).length == 0 ? own : string.concat(baseURI, Strings.toString(tokenId));
    }

    function supportsInterface(bytes4 id) public view override(AccessControl, ERC721URIStorage) returns (bool) {
        return super.supportsInterface(id);
    }
}
